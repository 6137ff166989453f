"""The mju_* functions and support functions that are not covered by the tests of clients."""

import math

import numpy as np
import pytest
import sinew as mujoco

RNG = np.random.default_rng(7)


def positive(n):
    a = RNG.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def test_elementwise_functions():
    a, b, res = RNG.normal(size=5), RNG.normal(size=5), np.empty(5)
    mujoco.mju_add(res, a, b)
    assert np.array_equal(res, a + b)
    mujoco.mju_sub(res, a, b)
    assert np.array_equal(res, a - b)
    mujoco.mju_scl(res, a, 2)
    assert np.array_equal(res, 2 * a)
    mujoco.mju_addScl(res, a, b, 3)
    assert np.allclose(res, a + 3 * b)
    mujoco.mju_addToScl(res, b, -3)
    assert np.allclose(res, a)
    mujoco.mju_addTo(res, b)
    mujoco.mju_subFrom(res, a)
    assert np.allclose(res, b)
    mujoco.mju_copy(res, [1, 2, 3, 4, 5])
    assert mujoco.mju_sum(res) == 15 and mujoco.mju_L1(-res) == 15 and mujoco.mju_dot(res, res) == 55
    mujoco.mju_zero(res)
    assert not res.any() and mujoco.mju_isZero(res) == 1
    mujoco.mju_fill(res, 2.5)
    assert (res == 2.5).all() and mujoco.mju_norm(res) == pytest.approx(2.5 * math.sqrt(5))
    assert mujoco.mju_normalize(res) == pytest.approx(2.5 * math.sqrt(5)) and np.linalg.norm(res) == pytest.approx(1)


def test_vectors_of_three_and_four():
    a, b, res = RNG.normal(size=3), RNG.normal(size=3), np.empty(3)
    mujoco.mju_cross(res, a, b)
    assert np.allclose(res, np.cross(a, b))
    mat = RNG.normal(size=(3, 3))
    mujoco.mju_mulMatVec3(res, mat, a)
    assert np.allclose(res, mat @ a)
    mujoco.mju_mulMatTVec3(res, mat, a)
    assert np.allclose(res, mat.T @ a)
    mujoco.mju_add3(res, a, b), mujoco.mju_addTo3(res, b), mujoco.mju_subFrom3(res, a)
    assert np.allclose(res, 2 * b)
    mujoco.mju_sub3(res, a, b), mujoco.mju_addToScl3(res, b, 2), mujoco.mju_addScl3(res, res, a, -1)
    assert np.allclose(res, b)
    mujoco.mju_scl3(res, a, 4)
    assert np.allclose(res, 4 * a) and mujoco.mju_dist3(a, b) == pytest.approx(np.linalg.norm(a - b))
    mujoco.mju_copy3(res, a), mujoco.mju_zero3(b)
    assert np.array_equal(res, a) and not b.any()
    quat = np.empty(4)
    mujoco.mju_unit4(quat)
    assert quat.tolist() == [1, 0, 0, 0]
    mujoco.mju_copy4(quat, [1, 2, 3, 4]), mujoco.mju_zero4(quat)
    assert not quat.any()


def test_quaternions_from_angles_and_directions():
    quat, back, z = np.empty(4), np.empty(3), RNG.normal(size=3)
    mujoco.mju_quatZ2Vec(quat, z)
    mujoco.mju_rotVecQuat(back, [0, 0, 1], quat)
    assert np.allclose(back, z / np.linalg.norm(z))
    # MuJoCo 3.12.0, functions of the same names in the package @mujoco/mujoco
    for seq, expected in {
        "xyz": [0.9003589720820279, 0.17539441720262594, 0.03301691418124325, 0.3968632046228196],
        "XYZ": [0.9119783737605492, 0.0985135827564837, 0.1488233591220875, 0.3693807352653407],
        "zXy": [0.9119783737605492, 0.03301691418124325, 0.3693807352653407, 0.17539441720262594],
    }.items():
        mujoco.mju_euler2Quat(quat, [0.3, 0.2, 0.8], seq)
        assert np.allclose(quat, expected, rtol=1e-15, atol=1e-16), seq
    mujoco.mju_quatZ2Vec(quat, [0.3, -0.5, 0.2])
    assert np.allclose(quat, [0.8137698821723267, 0.49836392536953694, 0.29901835522172215, 0], rtol=1e-15)
    with pytest.raises(mujoco.FatalError, match=r"mju_euler2Quat: seq\[2\] is 'p', should be one of x, y, z, X, Y, Z"):
        mujoco.mju_euler2Quat(quat, [0, 0, 0], "xyp")
    with pytest.raises(mujoco.FatalError):
        mujoco.mju_euler2Quat(quat, [0, 0, 0], "xyzx")


def test_derivative_of_a_quaternion_matches_its_integration():
    quat = RNG.normal(size=4)
    quat /= np.linalg.norm(quat)
    vel, h = RNG.normal(size=3), 1e-6
    derivative = np.empty(4)
    mujoco.mju_derivQuat(derivative, quat, vel)
    turned = np.empty(4)
    turn = np.empty(4)
    mujoco.mju_axisAngle2Quat(turn, vel / np.linalg.norm(vel), np.linalg.norm(vel) * h)
    mujoco.mju_mulQuat(turned, turn, quat)  # angular velocity in the world frame
    assert np.allclose((turned - quat) / h, derivative, atol=1e-5)


def test_poses_compose_and_invert():
    p, q, v = RNG.normal(size=3), np.array([0.5, 0.5, 0.5, 0.5]), RNG.normal(size=3)
    pi, qi, pr, qr, there, back = (np.empty(n) for n in (3, 4, 3, 4, 3, 3))
    mujoco.mju_negPose(pi, qi, p, q)
    mujoco.mju_mulPose(pr, qr, p, q, pi, qi)
    assert np.allclose(pr, 0) and np.allclose(qr, [1, 0, 0, 0])
    mujoco.mju_trnVecPose(there, p, q, v)
    mujoco.mju_trnVecPose(back, pi, qi, there)
    assert np.allclose(back, v)
    axis = np.empty(4)
    mujoco.mju_mulQuatAxis(axis, q, v)
    expected = np.empty(4)
    mujoco.mju_mulQuat(expected, q, [0, *v])
    assert np.allclose(axis, expected)


def test_matrices():
    a = RNG.normal(size=(3, 4))
    res = np.empty(3)
    v = RNG.normal(size=4)
    mujoco.mju_mulMatVec(res, a, v)
    assert np.allclose(res, a @ v)
    back = np.empty(4)
    mujoco.mju_mulMatTVec(back, a, res)
    assert np.allclose(back, a.T @ res)
    square = RNG.normal(size=(4, 4))
    assert mujoco.mju_mulVecMatVec(v, square, back) == pytest.approx(v @ square @ back)
    transposed = np.empty((4, 3))
    mujoco.mju_transpose(transposed, a)
    assert np.array_equal(transposed, a.T)
    mujoco.mju_symmetrize(square, square)
    assert np.array_equal(square, square.T)
    mujoco.mju_eye(square)
    assert np.array_equal(square, np.eye(4))
    weighted = np.empty((4, 4))
    mujoco.mju_sqrMatTD(weighted, a, [1, 2, 3])
    assert np.allclose(weighted, a.T @ np.diag([1, 2, 3]) @ a)


def test_sparse_and_dense_are_the_same_matrix():
    dense = np.array([[0, 1.5, 0], [2, 0, 3], [0, 0, 0]])
    values, nnz, adr, cols = np.empty(4), np.empty(3, np.int32), np.empty(3, np.int32), np.empty(4, np.int32)
    assert mujoco.mju_dense2sparse(values, dense, nnz, adr, cols) == 0
    assert nnz.tolist() == [1, 2, 0] and adr.tolist() == [0, 1, 3] and cols[:3].tolist() == [1, 0, 2]
    back = np.empty((3, 3))
    mujoco.mju_sparse2dense(back, values, nnz, adr, cols)
    assert np.array_equal(back, dense)
    with pytest.raises(TypeError):
        mujoco.mju_sparse2dense(back, values, nnz, adr, [7, 7, 7, 7])


@pytest.mark.parametrize("n,band,dense", [(6, 3, 2), (5, 5, 0), (4, 1, 1), (5, 2, 5)])
def test_band_matrices(n, band, dense):
    full = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            if i >= n - dense or i - j < band:
                full[i, j] = full[j, i] = RNG.normal()
    full += 10 * np.eye(n)
    size = (n - dense) * band + dense * n
    stored, back = np.empty(size), np.empty((n, n))
    mujoco.mju_dense2Band(stored, full, n, band, dense)
    mujoco.mju_band2Dense(back, stored, n, band, dense, True)
    assert np.array_equal(back, full)
    assert [stored[mujoco.mju_bandDiag(i, n, band, dense)] for i in range(n)] == np.diag(full).tolist()
    vec = RNG.normal(size=(2, n))
    res = np.empty((2, n))
    mujoco.mju_bandMulMatVec(res, stored, vec, n, band, dense, 2, True)
    assert np.allclose(res, vec @ full)
    smallest = mujoco.mju_cholFactorBand(stored, n, band, dense, 0.5, 0.1)
    raised = full + np.diag(0.5 + 0.1 * np.diag(full))
    factor = np.linalg.cholesky(raised)
    assert smallest == pytest.approx(np.min(np.diag(factor)) ** 2)
    solved = np.empty(n)
    mujoco.mju_cholSolveBand(solved, stored, vec[0], n, band, dense)
    assert np.allclose(raised @ solved, vec[0])


def test_cholesky_and_its_update():
    a, x = positive(5), RNG.normal(size=5)
    factor = a.copy()
    assert mujoco.mju_cholFactor(factor, 1e-12) == 5
    assert np.allclose(np.tril(factor), np.linalg.cholesky(a))
    res = np.empty(5)
    mujoco.mju_cholSolve(res, factor, x)
    assert np.allclose(a @ res, x)
    assert mujoco.mju_cholUpdate(factor, x.copy(), 1) == 5
    assert np.allclose(np.tril(factor), np.linalg.cholesky(a + np.outer(x, x)))
    assert mujoco.mju_cholUpdate(factor, x.copy(), 0) == 5
    assert np.allclose(np.tril(factor), np.linalg.cholesky(a))


def test_box_constrained_minimum_satisfies_its_conditions():
    for _ in range(20):
        n = 6
        H, g = positive(n), 10 * RNG.normal(size=n)
        lower, upper = -RNG.uniform(0.05, 1, n), RNG.uniform(0.05, 1, n)
        res, R, index = np.zeros(n), np.empty(n * (n + 7)), np.empty(n, np.int32)
        nfree = mujoco.mju_boxQP(res, R, index, H, g, lower, upper)
        gradient = H @ res + g
        at_lower, at_upper = res == lower, res == upper
        assert (res >= lower).all() and (res <= upper).all()
        assert (gradient[at_lower] >= 0).all() and (gradient[at_upper] <= 0).all()
        assert np.allclose(gradient[~at_lower & ~at_upper], 0, atol=1e-8)
        assert sorted(index[:nfree]) == np.flatnonzero(~at_lower & ~at_upper).tolist()
    res[:] = 0
    assert mujoco.mju_boxQP(res, R, None, H, g, None, None) == n
    assert np.allclose(H @ res, -g)
    assert mujoco.mju_boxQP(res, R, None, -H, g, None, None) == -1


def test_eigenvectors_of_a_symmetric_matrix():
    for _ in range(10):
        a = positive(3)
        values, vectors, quat = np.empty(3), np.empty(9), np.empty(4)
        mujoco.mju_eig3(values, vectors, quat, a)
        v = vectors.reshape(3, 3)
        assert values[0] >= values[1] >= values[2] and np.linalg.det(v) == pytest.approx(1)
        assert np.allclose(v @ np.diag(values) @ v.T, a)
        mat = np.empty(9)
        mujoco.mju_quat2Mat(mat, quat)
        assert np.allclose(mat, vectors)


def test_pyramid_edges_encode_the_force():
    force, mu = np.array([5.0, 1, -0.5, 0.01]), [0.8, 0.8, 0.1]
    edges, back = np.empty(6), np.empty(4)
    mujoco.mju_encodePyramid(edges, force, mu)
    mujoco.mju_decodePyramid(back, edges, mu)
    assert np.allclose(back, force) and edges.sum() == pytest.approx(5)


def test_scalars():
    assert mujoco.mju_clip(2, 0, 1) == 1 and mujoco.mju_min(1, 2) == 1 and mujoco.mju_max(1, 2) == 2
    assert mujoco.mju_sign(-3) == -1 and mujoco.mju_round(2.5) == 3 and mujoco.mju_round(-2.5) == -3 and mujoco.mju_sigmoid(0.5) == 0.5
    assert mujoco.mju_isBad(math.nan) == 1 == mujoco.mju_isBad(1e11) and mujoco.mju_isBad(3.0) == 0
    assert [mujoco.mju_Halton(i, 2) for i in (1, 2, 3)] == [0.5, 0.25, 0.75]
    for kp, kv in ((4, 1), (1, 4), (4, 4)):  # under-, over- and critically damped
        h = 1e-4
        x, v = 1.0, 0.5
        for _ in range(1000):
            v += h * (-kp * x - kv * v)
            x += h * v
        assert mujoco.mju_springDamper(1.0, 0.5, kp, kv, 0.1) == pytest.approx(x, abs=1e-4)
    assert mujoco.mju_writeNumBytes(2048) == "2.0 KB"
    draws = [mujoco.mju_standardNormal(None) for _ in range(2000)]
    assert abs(np.mean(draws)) < 0.15 and abs(np.std(draws) - 1) < 0.15
    second = np.zeros(1)
    mujoco.mju_standardNormal(second)
    assert second[0] != 0
    numbers = np.array([3, 1, 2], np.int32)
    mujoco.mju_insertionSortInt(numbers)
    assert numbers.tolist() == [1, 2, 3]


def test_muscles():
    """MuJoCo 3.12.0, functions of the same names in the package @mujoco/mujoco."""
    prm = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]
    for length, velocity, gain, bias in ((0.3, 0.1, -4.231999999999998, 0), (0.25, -0.4, -1.0871999999999997, 0),
                                         (0.45, 0.6, -4.383333333333333, -0.45138888888888884)):  # fmt: skip
        assert mujoco.mju_muscleGain(length, velocity, [0.2, 0.4], 50, prm) == pytest.approx(gain, rel=1e-14)
        assert mujoco.mju_muscleBias(length, [0.2, 0.4], 50, prm) == pytest.approx(bias, rel=1e-14)
    for ctrl, act, width, rate in ((0.7, 0.2, 0, 62.49999999999999), (0.1, 0.9, 0.3, -37.00000000000001),
                                   (2, -0.5, 0.3, 299.9999999999997)):  # fmt: skip
        assert mujoco.mju_muscleDynamics(ctrl, act, [0.01, 0.04, width]) == pytest.approx(rate, rel=1e-14)


def test_rays(creature, world):
    down, geomid, normal = [0, 0, -1], np.array([7], np.int32), np.empty(3)
    assert mujoco.mj_ray(creature, world, [0, 0, 2], down, None, 1, -1, geomid) == pytest.approx(1.6)
    assert geomid[0] == creature.geom("ball").id
    assert mujoco.mj_ray(creature, world, [0, 0, 2], down, None, True, 1, geomid, normal) == pytest.approx(2)
    assert geomid[0] == 0 and normal.tolist() == [0, 0, 1]
    assert mujoco.mj_ray(creature, world, [0, 0, 2], [0, 0, 1], [1, 1, 1, 1, 1, 1], True, -1, None) == -1
    dist, ids = np.empty(2), np.empty(2, np.int32)
    vectors = np.array([down, [0, 0, 1]], float)
    mujoco.mj_multiRay(creature, world, [0, 0, 2], vectors.ravel(), None, 1, -1, ids, dist, 2, mujoco.mjMAXVAL)
    assert dist.tolist() == pytest.approx([1.6, -1]) and ids.tolist() == [1, -1]
    normals = np.empty(6)
    mujoco.mj_multiRay(creature, world, [0, 0, 2], vectors, None, 1, -1, ids, dist, normals, 2, mujoco.mjMAXVAL)
    assert normals[:3].tolist() == pytest.approx([0, 0, 1])
    sphere = mujoco.mju_rayGeom([0, 0, 0], np.eye(3).ravel(), [1, 0, 0], [0, 0, 5], down, mujoco.mjtGeom.mjGEOM_SPHERE)
    assert sphere == pytest.approx(4)


def test_forces_at_points_and_angular_momentum(creature, world):
    qfrc, jacp, jacr = np.zeros(creature.nv), np.empty((3, creature.nv)), np.empty((3, creature.nv))
    force, torque, point = RNG.normal(size=3), RNG.normal(size=3), world.xpos[3] + 0.1
    mujoco.mj_applyFT(creature, world, force, torque, point, 3, qfrc)
    mujoco.mj_jac(creature, world, jacp, jacr, point, 3)
    assert np.allclose(qfrc, jacp.T @ force + jacr.T @ torque)
    world.qvel[:] = RNG.normal(size=creature.nv)
    mujoco.mj_forward(creature, world)
    mujoco.mj_subtreeVel(creature, world)
    mat = np.empty((3, creature.nv))
    mujoco.mj_angmomMat(creature, world, mat, 1)
    assert np.allclose(mat @ world.qvel, world.subtree_angmom[1])
    bias = np.empty(creature.nv)
    mujoco.mj_rne(creature, world, 0, bias)
    assert np.allclose(bias, world.qfrc_bias)


def test_inverse_dynamics_undoes_forward_dynamics(creature, world):
    world.qfrc_applied[:] = RNG.normal(size=creature.nv)
    mujoco.mj_forward(creature, world)
    mujoco.mj_inverse(creature, world)
    assert np.allclose(world.qfrc_inverse, world.qfrc_applied + world.qfrc_actuator, atol=1e-6)


def test_energy_and_masses(creature, world):
    mujoco.mj_energyPos(creature, world)
    mujoco.mj_energyVel(creature, world)
    weight = creature.body_mass @ world.xipos[:, 2] * 9.81
    assert world.energy.tolist() == pytest.approx([weight, 0])
    total = mujoco.mj_getTotalmass(creature)
    assert total == pytest.approx(creature.body_mass.sum())
    mujoco.mj_setTotalmass(creature, 2 * total)
    assert creature.body_subtreemass[0] == pytest.approx(2 * total)
    creature.body_mass[1] = 50
    mujoco.mj_setConst(creature, world)
    assert creature.body_subtreemass[1] == pytest.approx(creature.body_mass[1:4].sum())


def test_constraint_update_gives_the_forces_of_the_solution(boxes):
    m = boxes.model
    mujoco.mj_forward(m, boxes)
    force, qfrc = boxes.efc_force.copy(), boxes.qfrc_constraint.copy()
    jar = np.empty(boxes.nefc)
    mujoco.mj_mulJacVec(m, boxes, jar, boxes.qacc)
    jar -= boxes.efc_aref
    cost = np.empty(1)
    mujoco.mj_constraintUpdate(m, boxes, jar, cost, 0)
    assert np.allclose(boxes.efc_force, force) and np.allclose(boxes.qfrc_constraint, qfrc) and cost[0] > 0


def test_keyframes_can_be_written(creature, world):
    world.qpos[0] = 0.75
    mujoco.mj_setKeyframe(creature, world, 1)
    assert creature.key_qpos[1, 0] == 0.75
    with pytest.raises(mujoco.FatalError) as error:
        mujoco.mj_setKeyframe(creature, world, 2)
    assert str(error.value) == "mj_setKeyframe: index must be smaller than 2 (keyframes allocated in model)"


def test_parts_of_states_are_copied_and_extracted(creature, world):
    full, qpos = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_QPOS
    world.qpos[:] = np.arange(13)
    state = np.empty(mujoco.mj_stateSize(creature, full))
    mujoco.mj_getState(creature, world, state, full)
    part = np.empty(13)
    mujoco.mj_extractState(creature, state, full, part, qpos)
    assert np.array_equal(part, world.qpos)
    other = mujoco.MjData(creature)
    mujoco.mj_copyState(creature, world, other, qpos)
    assert np.array_equal(other.qpos, world.qpos)


def test_delay_buffers_are_filled_and_read():
    model = mujoco.MjModel.from_xml_string("""
      <mujoco><option timestep=".01"/>
        <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="j" delay=".01" nsample="3"/></actuator>
        <sensor><jointpos joint="j" delay=".01" nsample="3"/></sensor>
      </mujoco>""")
    data = mujoco.MjData(model)
    times, values = np.array([0, 0.01, 0.02]), np.array([1.0, 2, 3])
    mujoco.mj_initCtrlHistory(model, data, 0, times, values)
    assert mujoco.mj_readCtrl(model, data, 0, 0.02, 0) == 2
    assert mujoco.mj_readCtrl(model, data, 0, 0.025, 1) == pytest.approx(2.5)
    mujoco.mj_initSensorHistory(model, data, 0, times, values, phase=0.0)
    result = np.zeros(1)
    assert mujoco.mj_readSensor(model, data, 0, 0.02, result, interp=0) is result and result[0] == 2
    mujoco.mj_initSensorHistory(model, data, 0, None, 10 * values, 0.0)
    mujoco.mj_readSensor(model, data, 0, 0.02, result, 0)
    assert result[0] == 20


def test_derivatives_of_a_step_and_of_quaternions(creature, world):
    creature.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    n, nu, ns = 2 * creature.nv + creature.na, creature.nu, creature.nsensordata
    A, B, C, D = np.empty((n, n)), np.empty((n, nu)), np.empty((ns, n)), np.empty((ns, nu))
    mujoco.mjd_transitionFD(creature, world, 1e-6, True, A, B, C, D)
    a, b = (mujoco.MjData(creature) for _ in range(2))
    a.ctrl[0], b.ctrl[0] = 1e-6, -1e-6
    mujoco.mj_step(creature, a), mujoco.mj_step(creature, b)
    assert np.allclose(B[creature.nv : 2 * creature.nv, 0], (a.qvel - b.qvel) / 2e-6, atol=1e-6)
    f = [np.empty((creature.nv, creature.nv)) for _ in range(3)]
    mujoco.mjd_inverseFD(creature, world, 1e-6, False, *f, None, None, None, None)
    full = np.empty((creature.nv, creature.nv))
    mujoco.mj_fullM(creature, world, full)
    assert np.allclose(f[2], full, atol=1e-4)
    qa, qb, Da, Db = RNG.normal(size=4), RNG.normal(size=4), np.empty((3, 3)), np.empty((3, 3))
    qa, qb = qa / np.linalg.norm(qa), qb / np.linalg.norm(qb)
    mujoco.mjd_subQuat(qa, qb, Da, Db)
    base, moved, step = np.empty(3), np.empty(3), np.array([1e-6, 0, 0])
    mujoco.mju_subQuat(base, qa, qb)
    turned = qa.copy()
    mujoco.mju_quatIntegrate(turned, step, 1)
    mujoco.mju_subQuat(moved, turned, qb)
    assert np.allclose((moved - base) / 1e-6, Da[:, 0], atol=1e-4)
    Dq, Dv, Ds = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    mujoco.mjd_quatIntegrate([0, 0, 0.3], 1.0, Dq, Dv, Ds)
    assert np.allclose(Ds, [0, 0, 0.3])


def test_the_schema_is_printed():
    text = mujoco.mj_printSchema(False, False)
    assert text.startswith("mujoco") and "geom" in text and "actuatorfrcrange" in text
