"""The leg of trials with a patella that follows its knee."""

from support.osim_files import in_set
from support.trial_files import leg_osim, pin

PATELLA = """<Body name="patella"><mass>0.4</mass><mass_center>0.03 0 0</mass_center>
<inertia>0.01 0.01 0.02 0 0 0</inertia></Body>"""
CURVE = "<PolynomialFunction><coefficients>0.1 0.6 0.05</coefficients></PolynomialFunction>"
COUPLER = """<CoordinateCouplerConstraint name="follows"><coupled_coordinates_function>{}</coupled_coordinates_function>
<independent_coordinate_names>knee_angle_r</independent_coordinate_names>
<dependent_coordinate_name>patella_angle_r</dependent_coordinate_name></CoordinateCouplerConstraint>"""


def leg_with_patella(folder, extra="", function=CURVE):
    """The file of the leg with a patella on the thigh whose angle is 0.1 k² + 0.6 k + 0.05 of the knee's k."""
    text = leg_osim(extra=in_set("ConstraintSet", COUPLER.format(function)))
    text = text.replace("</objects></BodySet>", PATELLA + "</objects></BodySet>")
    hinge = pin("patella", "thigh_r", (0.03, -0.36, 0), "patella", extra)
    path = folder / "leg.osim"
    path.write_text(text.replace("</objects></JointSet>", hinge + "</objects></JointSet>"))
    return path
