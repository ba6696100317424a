"""Environments for reinforcement learning: games of any title in the interfaces of PettingZoo, Gymnasium and OpenSpiel.

Each interface is a module, which needs its packages: :mod:`boardkeeper.rl.pettingzoo` and
:mod:`boardkeeper.rl.gymnasium` those of the extra ``rl``, :mod:`boardkeeper.rl.openspiel` those of ``openspiel``.
``docs/reinforcement-learning.md`` describes them with examples.
"""
