"""A small model of MuJoCo that has one of nearly everything, written by hand."""

EVERYTHING = """<mujoco model="small">
  <compiler angle="radian" eulerseq="XYZ" boundmass="0.001" boundinertia="1e-6"/>
  <option gravity="0 0 -9.81" timestep="0.002" viscosity="0"><flag contact="enable"/></option>
  <default>
    <joint damping="0.1" armature="0.02"/>
    <geom density="500" size="0.05 0.1 0.2" rgba="0.2 0.4 0.6 1"/>
    <default class="light"><geom density="100"/><default class="shell"><geom shellinertia="true"/></default></default>
  </default>
  <asset>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.1 0.1"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <light pos="0 0 3"/>
    <body name="cart" pos="0 0 1">
      <joint name="along" type="slide" axis="2 0 0" range="-1 1" stiffness="3" springref="0.2"/>
      <joint name="lean" axis="0 1 0" pos="0 0 -0.1" ref="0.3" frictionloss="0.5"/>
      <geom type="box" size="0.1 0.2 0.3" mass="2" euler="0.1 0.2 0.3"/>
      <frame pos="0 0 0.2" zaxis="1 1 1">
        <geom class="shell" type="capsule" fromto="0 0 0 0.1 0.2 0.3" size="0.03"/>
        <body name="pole" childclass="light">
          <joint name="swing" axis="1 0 0"/>
          <geom type="cylinder" size="0.02"/>
          <geom type="mesh" mesh="wedge" material="red"/>
          <site name="tip" pos="0 0 0.4"/>
          <body name="bob" pos="0 0 0.4" xyaxes="0 1 0 -1 0 0">
            <joint name="ball" type="ball" pos="0.01 0 0"/>
            <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.002 0.003 0.004"/>
          </body>
        </body>
      </frame>
    </body>
    <body name="follower" pos="1 0 0"><joint name="turn"/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
    <body name="loose" pos="0 2 1" quat="0.6 0.8 0 0"><freejoint name="fly"/><geom size="0.1"/></body>
  </worldbody>
  <equality>
    <joint joint1="turn" joint2="lean" polycoef="0.1 0.5 0.25"/>
    <weld body1="loose" body2="world" active="false"/>
  </equality>
  <tendon><fixed name="rope"><joint joint="along" coef="2"/></fixed></tendon>
  <actuator><motor name="push" joint="along" gear="10"/></actuator>
  <keyframe><key name="up" qpos="0.1 0.5 0.2 1 0 0 0 0.11 0 2 1 1 0 0 0"/></keyframe>
</mujoco>
"""
