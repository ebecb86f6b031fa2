"""Robots with every kind of URDF joint."""

ROBOT = """<?xml version="1.0"?>
<robot name="tree">
  <material name="blue"><color rgba="0.1 0.2 0.9 1"/></material>
  <link name="base"/>
  <link name="trunk">
    <inertial><origin xyz="0.1 0 0.2" rpy="0.3 -0.2 0.5"/><mass value="3"/>
      <inertia ixx="0.3" iyy="0.4" izz="0.35" ixy="0.02" ixz="-0.03" iyz="0.01"/></inertial>
    <visual><origin xyz="0 0 0.2" rpy="0 1 0"/><geometry><box size="0.2 0.3 0.4"/></geometry>
      <material name="blue"/></visual>
  </link>
  <link name="left"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual></link>
  <link name="right"><inertial><origin xyz="0 0.1 0"/><mass value="1.5"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"><inertial><origin xyz="0.2 0 0"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><inertial><mass value="0.2"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="root" type="floating"><parent link="base"/><child link="trunk"/><origin xyz="0 0 1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="trunk"/><child link="left"/>
    <origin xyz="0 0.3 0.2" rpy="0.1 0.2 0.3"/><axis xyz="1 2 -1"/><limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic"><parent link="trunk"/><child link="right"/>
    <origin xyz="0 -0.3 0.2" rpy="-0.4 0.2 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="wheel" type="continuous"><parent link="left"/><child link="tip"/><origin xyz="0.3 0 0"/>
    <axis xyz="0 0 1"/><dynamics damping="0.7"/></joint>
  <joint name="mount" type="fixed"><parent link="tip"/><child link="tool"/><origin xyz="0.1 0 0" rpy="1 0 0"/></joint>
</robot>
"""

MIMIC = """<robot name="hand">
  <gazebo><plugin name="x"/></gazebo>
  <transmission name="t"><type>x</type></transmission>
  <link name="palm"><visual><geometry><mesh filename="package://hand/palm.stl" scale="0.001 0.001 0.001"/></geometry>
    </visual><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="thumb"><inertial><mass value="0.1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <link name="near"><inertial><mass value="0.1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <link name="far"><inertial><mass value="0.1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>
    <visual><geometry><sphere radius="0.01"/></geometry><material name=""><color rgba="1 0 0 0.5"/></material></visual>
  </link>
  <link name="puck"><inertial><mass value="0.2"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <joint name="tip" type="revolute"><parent link="near"/><child link="far"/><origin xyz="0 0 0.1"/><axis xyz="0 3 0"/>
    <limit lower="-1" upper="1"/><mimic joint="base" multiplier="0.5" offset="0.1"/></joint>
  <joint name="base" type="revolute"><parent link="palm"/><child link="near"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1"/><mimic joint="grip" multiplier="-2"/></joint>
  <joint name="grip" type="continuous"><parent link="palm"/><child link="thumb"/><axis xyz="0 1 0"/></joint>
  <joint name="table" type="planar"><parent link="palm"/><child link="puck"/><axis xyz="0 1 0"/></joint>
</robot>
"""
