"""What the inverse-kinematics package mink uses: section 4 of the survey of clients, name by name."""

import numpy as np
import pytest
import sinew as mujoco

RNG = np.random.default_rng(4)


def moved(model, data, qpos, dof, step):
    """Positions after a small motion of one dof."""
    other = mujoco.MjData(model)
    other.qpos = qpos
    velocity = np.zeros(model.nv)
    velocity[dof] = step
    mujoco.mj_integratePos(model, other.qpos, velocity, 1.0)
    mujoco.mj_kinematics(model, other)
    mujoco.mj_comPos(model, other)
    return other


@pytest.mark.parametrize(
    "function,kind,field",
    [(mujoco.mj_jacBody, "body", "xpos"), (mujoco.mj_jacGeom, "geom", "geom_xpos"),
     (mujoco.mj_jacSite, "site", "site_xpos"), (mujoco.mj_jacBodyCom, "body", "xipos")],
)  # fmt: skip
def test_jacobians_are_derivatives_and_fill_slices_of_one_array(creature, world, function, kind, field):
    index = {"body": 3, "geom": 3, "site": 1}[kind]
    jac = np.full((6, creature.nv), np.nan)
    function(creature, world, jac[:3], jac[3:], index)
    assert np.isfinite(jac).all()
    h = 1e-7
    for dof in range(creature.nv):
        plus, minus = (moved(creature, world, world.qpos, dof, s * h) for s in (1, -1))
        slope = (getattr(plus, field)[index] - getattr(minus, field)[index]) / (2 * h)
        assert np.allclose(jac[:3, dof], slope, atol=1e-6)


def test_either_jacobian_may_be_omitted(creature, world):
    jacr = np.empty((3, creature.nv))
    mujoco.mj_jacBody(creature, world, None, jacr, 3)
    both = np.empty((6, creature.nv))
    mujoco.mj_jacBody(creature, world, both[:3], both[3:], 3)
    assert np.array_equal(jacr, both[3:])
    jacp = np.empty((3, creature.nv))
    mujoco.mj_jac(creature, world, jacp, None, world.xpos[3], 3)
    assert np.allclose(jacp, both[:3], atol=1e-14)


def test_jacobian_of_the_center_of_mass_covers_the_whole_subtree(creature, world):
    jac = np.empty((3, creature.nv))
    mujoco.mj_jacSubtreeCom(creature, world, jac, 1)
    assert np.allclose(jac[:, :3], np.eye(3))


def test_integrate_and_differentiate_are_inverse_with_all_keywords(creature):
    q = creature.qpos0.copy()
    v = RNG.normal(size=creature.nv)
    q2 = q.copy()
    mujoco.mj_integratePos(creature, q2, v, 0.1)
    back = np.empty(creature.nv)
    mujoco.mj_differentiatePos(m=creature, qvel=back, dt=0.1, qpos1=q, qpos2=q2)
    assert np.allclose(back, v, atol=1e-12)
    data = mujoco.MjData(creature)
    mujoco.mj_integratePos(creature, data.qpos, v, 0.1)
    assert np.array_equal(data.qpos, q2)


def test_dense_inertia_in_both_forms(creature, world):
    dense, old = np.empty((creature.nv, creature.nv)), np.empty((creature.nv, creature.nv))
    mujoco.mj_makeM(creature, world)
    mujoco.mj_fullM(creature, world, dense)
    mujoco.mj_fullM(creature, old, world.M)
    assert np.array_equal(dense, old) and np.array_equal(dense, dense.T)
    assert np.linalg.eigvalsh(dense)[0] > 0
    named = np.empty_like(dense)
    mujoco.mj_fullM(m=creature, d=world, dst=named)
    assert np.array_equal(named, dense)
    mujoco.mj_fullM(m=creature, dst=named, M=world.M)
    product = np.empty(creature.nv)
    x = RNG.normal(size=creature.nv)
    mujoco.mj_mulM(creature, world, product, x)
    assert np.allclose(product, dense @ x)
    solved = np.empty((2, creature.nv))
    mujoco.mj_solveM(creature, world, solved, np.stack([x, product]))
    assert np.allclose(solved[1], x)


def test_distance_between_geoms_and_the_segment_between_them(creature, world):
    ball, mark = creature.geom("ball").id, creature.geom("mark").id
    fromto = np.empty(6)
    dist = mujoco.mj_geomDistance(creature, world, ball, mark, 5.0, fromto)
    between = np.linalg.norm(world.geom_xpos[ball] - world.geom_xpos[mark])
    assert dist == pytest.approx(between - 0.12)
    assert np.linalg.norm(fromto[3:] - fromto[:3]) == pytest.approx(dist)
    assert mujoco.mj_geomDistance(creature, world, ball, mark, 0.5, None) == 0.5


def test_tendons_and_equalities_can_be_computed_alone(creature, world):
    world.qpos[11] = 0.25
    mujoco.mj_tendon(creature, world)
    assert world.ten_length[0] == 0.5
    world.eq_active[0] = 1
    mujoco.mj_makeConstraint(creature, world)
    assert world.nefc >= 1 and world.efc_type[0] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    assert world.efc_id[0] == 0 and world.efc_pos.shape == (world.nefc,)


@pytest.mark.parametrize("kind", ["mjJAC_DENSE", "mjJAC_SPARSE"])
def test_the_layout_of_the_constraint_jacobian_follows_the_option(creature, world, kind):
    creature.opt.jacobian = getattr(mujoco.mjtJacobian, kind)
    world.eq_active[0] = 1
    mujoco.mj_forward(creature, world)
    rows = np.empty((world.nefc, creature.nv))
    if mujoco.mj_isSparse(creature):
        assert kind == "mjJAC_SPARSE"
        mujoco.mju_sparse2dense(rows, world.efc_J, world.efc_J_rownnz, world.efc_J_rowadr, world.efc_J_colind)
    else:
        rows[:] = world.efc_J.reshape(world.nefc, creature.nv)
    expected = np.zeros(creature.nv)
    expected[creature.joint("slider").dofadr] = 1
    assert np.array_equal(rows[0], expected)
    product = np.empty(world.nefc)
    x = RNG.normal(size=creature.nv)
    mujoco.mj_mulJacVec(creature, world, product, x)
    assert np.allclose(product, rows @ x)
    back = np.empty(creature.nv)
    mujoco.mj_mulJacTVec(creature, world, back, product)
    assert np.allclose(back, rows.T @ product)


def test_keyframes_are_states(creature, world):
    key = mujoco.mj_name2id(creature, mujoco.mjtObj.mjOBJ_KEY, "home")
    mujoco.mj_resetDataKeyframe(creature, world, key)
    assert np.array_equal(world.qpos, creature.key_qpos[0]) and creature.nkey == 2
    assert np.array_equal(creature.key("home").qpos, creature.key_qpos[0])


def test_types_compare_with_arrays_and_serve_as_keys(creature):
    assert (creature.jnt_type != mujoco.mjtJoint.mjJNT_FREE).tolist() == [False, True, True, True]
    sizes = {mujoco.mjtJoint.mjJNT_FREE.value: 7, mujoco.mjtJoint.mjJNT_BALL.value: 4}
    assert sizes[creature.jnt_type[0]] == 7
    assert -mujoco.mjMAXVAL == -1e10 and type(mujoco.mjMAXVAL) is float


def test_mocap_bodies_follow_writes_through_a_row(creature, world):
    index = creature.body("target").mocapid[0]
    mujoco.mju_mat2Quat(world.mocap_quat[index], world.xmat[1])
    world.mocap_pos[index] = [1, 2, 3]
    mujoco.mj_kinematics(creature, world)
    assert world.body("target").xpos.tolist() == [1, 2, 3]


def test_assignment_copies_into_memory(world):
    qpos = world.qpos
    world.qpos = np.arange(13)
    assert qpos.tolist() == list(range(13))
    world.qpos = 0.5
    assert (qpos == 0.5).all()


def quaternion():
    q = RNG.normal(size=4)
    return q / np.linalg.norm(q)


def matrix(q):
    mat = np.empty(9)
    mujoco.mju_quat2Mat(mat, q)
    return mat.reshape(3, 3)


def test_quaternion_algebra():
    a, b, v = quaternion(), quaternion(), RNG.normal(size=3)
    product, back, turned, neg = np.empty(4), np.empty(4), np.empty(3), np.empty(4)
    mujoco.mju_mulQuat(product, a, b)
    assert np.allclose(matrix(product), matrix(a) @ matrix(b))
    mujoco.mju_mat2Quat(back, matrix(a).ravel())
    assert np.allclose(back * np.sign(back[0]), a * np.sign(a[0]))
    mujoco.mju_rotVecQuat(turned, v, a)
    assert np.allclose(turned, matrix(a) @ v)
    mujoco.mju_negQuat(neg, a)
    assert np.allclose(matrix(neg), matrix(a).T)
    mujoco.mju_mulQuat(a, a, neg)  # in place
    assert np.allclose(a, [1, 0, 0, 0])


def test_velocity_of_a_quaternion():
    axis = np.array([0, 0.6, 0.8])
    q, vel = np.empty(4), np.empty(3)
    mujoco.mju_axisAngle2Quat(q, axis, 0.3)
    mujoco.mju_quat2Vel(vel, q, 0.1)
    assert np.allclose(vel, axis * 3)
    start = np.array([1.0, 0, 0, 0])
    mujoco.mju_quatIntegrate(start, vel, 0.1)
    assert np.allclose(start, q)
    diff = np.empty(3)
    mujoco.mju_subQuat(diff, q, [1, 0, 0, 0])
    assert np.allclose(diff, axis * 0.3)


def test_norms_and_products():
    v = np.array([3.0, 0, 4])
    assert mujoco.mju_norm3(v) == 5 and mujoco.mju_dot3(v, [1, 1, 1]) == 7
    assert mujoco.mju_normalize3(v) == 5 and np.allclose(v, [0.6, 0, 0.8])
    zero = np.zeros(3)
    assert mujoco.mju_normalize3(zero) == 0 and zero.tolist() == [1, 0, 0]
    q = np.array([0.0, 2, 0, 0])
    assert mujoco.mju_normalize4(q) == 2 and q.tolist() == [0, 1, 0, 0]
    a, b = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4))
    res = np.empty((2, 4))
    mujoco.mju_mulMatMat(res, a, b)
    assert np.allclose(res, a @ b)
    rt = np.empty((3, 3))
    mujoco.mju_mulMatTMat(rt, a, a)
    assert np.allclose(rt, a.T @ a)
    rt2 = np.empty((2, 2))
    mujoco.mju_mulMatMatT(rt2, a, a)
    assert np.allclose(rt2, a @ a.T)


def test_every_attribute_used_by_the_client_exists(creature, world):
    for name in """nq nv njnt nbody ngeom nsite nkey neq ntendon jnt_type jnt_limited jnt_range jnt_qposadr jnt_dofadr
                   jnt_bodyid key_qpos geom_bodyid geom_rbound geom_type geom_contype geom_conaffinity body_weldid
                   body_parentid body_geomadr body_geomnum eq_type eq_active0""".split():
        getattr(creature, name)
    for name in """qpos xpos xmat geom_xpos geom_xmat site_xpos site_xmat subtree_com mocap_pos mocap_quat nefc efc_J
                   efc_J_rownnz efc_J_rowadr efc_J_colind efc_pos efc_type efc_id ncon""".split():
        getattr(world, name)
    assert creature.body(1).name == "torso" and creature.joint("elbow").id == 2 and creature.joint(2).name == "elbow"
    assert creature.site(1).name == "hand" and creature.geom(0).name == "floor" and creature.key(1).name == "far"
