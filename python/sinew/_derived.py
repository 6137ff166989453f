"""Attributes of MjData derived from other arrays on access; pickling of structs."""

import numpy as np


def _by_island_dof(source):
    def get(data):
        return getattr(data, source)[data.map_idof2dof[: data.nidof]]

    return property(get, doc=f"(nidof,) {source} in the order of islands")


def _by_island_row(source):
    def get(data):
        return getattr(data, source)[data.map_iefc2efc]

    return property(get, doc=f"(nefc,) {source} in the order of islands")


def _awake_dofs(data):
    return np.flatnonzero(data.tree_awake[data.model.dof_treeid] > 0).astype(np.int32)


def _awake_bodies(data):
    return np.flatnonzero(data.body_awake != 0).astype(np.int32)


def _awake_parents(data):
    parents = data.body_awake[data.model.body_parentid] != 0
    return np.flatnonzero(parents & (data.body_awake != 0)).astype(np.int32)


def struct_from_bytes(kind, state):
    struct = kind()
    struct._set_bytes(state)
    return struct


def _reduce(struct):
    return struct_from_bytes, (type(struct), struct._bytes())


def install(data_class, struct_class):
    struct_class.__reduce__ = _reduce
    for name, source in (("ifrc_smooth", "qfrc_smooth"), ("iacc_smooth", "qacc_smooth"), ("iacc", "qacc"),
                         ("ifrc_constraint", "qfrc_constraint")):  # fmt: skip
        setattr(data_class, name, _by_island_dof(source))
    for source in ("type", "id", "frictionloss", "D", "R", "aref", "state", "force"):
        setattr(data_class, f"iefc_{source}", _by_island_row(f"efc_{source}"))
    data_class.dof_awake_ind = property(_awake_dofs, doc="dofs of awake trees")
    data_class.body_awake_ind = property(_awake_bodies, doc="awake bodies")
    data_class.parent_awake_ind = property(_awake_parents, doc="awake bodies whose parent is awake")
    data_class.ntree_awake = property(lambda d: int(np.sum(d.tree_awake > 0)), doc="number of awake trees")
    data_class.nv_awake = property(lambda d: len(_awake_dofs(d)), doc="number of dofs of awake trees")
    data_class.nbody_awake = property(lambda d: len(_awake_bodies(d)), doc="number of awake bodies")
    data_class.nparent_awake = property(lambda d: len(_awake_parents(d)), doc="number of bodies in parent_awake_ind")
    for name in ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost", "threadlock"):
        setattr(data_class, name, property(lambda d: False, doc="False: the engine has no such flag"))
