"""Writes the models of flex_test.cpp beside this file; make_goldens.c then writes what MuJoCo computes for them."""
import pathlib

HERE = pathlib.Path(__file__).parent
GEOMS = """<geom type="plane" size="1 1 .1" pos="0 0 -.02" {c}/>
<body pos=".05 0 0"><freejoint/><geom size=".03" {c}/><geom type="box" size=".02 .03 .01" pos=".04 0 0" {c}/></body>
<body pos="-.05 0 .01"><freejoint/><geom type="capsule" size=".02 .03" {c}/>
  <geom type="cylinder" size=".02 .03" pos="-.04 0 0" {c}/></body>
<body pos="0 .05 -.01"><joint axis="0 1 0"/><geom type="ellipsoid" size=".03 .04 .02" {c}/></body>
<body pos=".02 -.06 0"><joint type="ball"/><geom type="mesh" mesh="hull" {c}/></body>"""
COUNT = {1: "9 1 1", 2: "5 6 1", 3: "4 3 3"}
HULL = "-.02 -.02 -.01 .02 -.01 -.02 -.01 .02 -.01 .02 .02 -.01 -.01 -.02 .01 .02 -.01 .02 -.01 .01 .01 .02 .02 .01"


def flex(dim, contact="", name="f", pos="0 0 0", radius=".01", extra="", inside="", count=None):
    return (f'<flexcomp name="{name}" type="grid" dim="{dim}" count="{count or COUNT[dim]}" spacing=".03 .03 .03" '
            f'radius="{radius}" pos="{pos}" mass=".1" {extra}>{inside}<contact {contact}/></flexcomp>')


def write(name, world, option="", flags=""):
    hill = " ".join(str((3 * i * i + 7 * i) % 11) for i in range(56))
    (HERE / f"{name}.xml").write_text(f"""<mujoco>
<option {option}><flag equality="disable" spring="disable" damper="disable" {flags}/></option>
<asset><mesh name="hull" vertex="{HULL}"/>
  <hfield name="hill" nrow="7" ncol="8" size=".2 .2 .06 .05" elevation="{hill}"/></asset>
<worldbody>
{world}
</worldbody>
</mujoco>
""")


NONE = 'selfcollide="none"'
for d in (1, 2, 3):
    write(f"geoms{d}", GEOMS.format(c="") + flex(d, NONE))
    write(f"margin{d}", GEOMS.format(c='margin=".005" gap=".004"') +
          flex(d, NONE + ' margin=".003" gap=".002" condim="4" friction=".7 .02 .003" solref=".03 1"'), 'cone="elliptic"')
    write(f"elements{d}", GEOMS.format(c="") + flex(d, NONE + ' condim="6"'), 'jacobian="sparse"', 'midphase="disable"')
    write(f"portal{d}", GEOMS.format(c="") + flex(d, NONE + ' condim="1"'), "", 'nativeccd="disable"')
    write(f"override{d}", GEOMS.format(c="") + flex(d, NONE), 'o_margin=".008" o_friction=".3 .3 .01 .001 .001"',
          'override="enable"')
    write(f"hill{d}", '<geom type="hfield" hfield="hill" pos="0 0 -.05" margin=".002"/>' + flex(d, NONE))
    for mode in ("narrow", "bvh", "sap"):
        write(f"self_{mode}{d}", flex(d, f'selfcollide="{mode}"', radius=".0148"))
    write(f"inside{d}", flex(d, 'selfcollide="auto" internal="true"', radius=".0148"))
    for e in range(d, 4):
        write(f"two_flexes{d}{e}", flex(d, NONE + ' margin=".004"') +
              flex(e, NONE, "g", ".033 .041 .017"))
    pins = flex(d, "", inside='<pin id="0 1 5"/>')
    write(f"pinned{d}", GEOMS.format(c="") + f"""<body name="p"><joint axis="1 0 0"/>
<geom type="box" size=".03 .03 .01" pos="0 0 -.015"/><body name="q" pos=".02 0 0"><joint type="ball"/>
<geom size=".03" pos="0 0 -.03"/>{pins}</body></body>""")
write("many", '<geom type="plane" size="1 1 .1"/><geom type="box" size=".5 .5 .02"/><geom size=".2" pos="0 0 -.19"/>' +
      flex(2, NONE, count="9 9 1"))
write("layers", '<geom size=".05" pos="0 0 0"/>' + flex(3, 'selfcollide="auto" activelayers="1"', count="5 5 5"))
write("layers_elements", '<geom size=".05" pos="0 0 0"/>' + flex(3, 'selfcollide="auto"', count="5 5 5"), "",
      'midphase="disable"')
write("masks", '<geom type="plane" size="1 1 .1" contype="0" conaffinity="0" pos="0 0 -.01"/>'
      '<geom size=".05" contype="2" conaffinity="2" pos="0 0 -.03"/><geom size=".05" pos=".05 0 -.03"/>' + flex(2, NONE))
for dof in ("trilinear", "quadratic"):
    for elasticity in ("", 'elastic2d="bend" thickness=".01"'):
        write(f"{dof}_{'shell' if elasticity else 'volume'}", GEOMS.format(c="").replace("-.02\"", ".01\"", 1) +
              flex(3, NONE, pos="0 0 .06", radius=".005", extra=f'dof="{dof}"', count="4 4 4",
                   inside=f'<elasticity young="1e3" poisson=".1" {elasticity}/>'))
write("rigid", GEOMS.format(c="") + '<body name="p"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia=".1 .1 .1"/>' +
      flex(2, extra='rigid="true"') + "</body>")
