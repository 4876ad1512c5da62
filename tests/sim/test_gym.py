"""Environments for Gymnasium: its own checker, and every round against the ordinary engine."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.law.rulebook import Rulebook, shipped_submissions
from baccarat.odds.gain import gain
from baccarat.play.book import open_book
from baccarat.play.shoe import burn, rounds
from baccarat.sim.gym import ID, ShoeEnv, ShoeVectorEnv
from baccarat.sim.stream import shoe
from baccarat.sim.study import strategy as play
from baccarat.sim.study.book_arrays import RANKS
from baccarat.sim.study.patrons import study_patrons
from reckoned_patron import reckoned


@pytest.mark.parametrize("name", shipped_submissions())
def test_the_checker_of_gymnasium_passes_for_every_rulebook(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(ShoeEnv(name), skip_render_check=True)


def test_an_episode_is_a_shoe_of_the_stream_settled_to_the_cent() -> None:
    rules = rulebook("ma-midi-4")
    book, env = open_book(rules), ShoeEnv(rules, wagers=(PLAYER, BANKER, TIE), stakes=(2_500, 10_300), purse=10**7)
    observed, info = env.reset(seed=4)
    cards = shoe(rules, info["seed"], info["shoe"])
    chance, seen, over, purse = np.random.default_rng(1), [cards[0]], False, 10**7
    for each in rounds(rules, cards, position=len(burn(rules, cards).cards)):
        assert not over
        left = [1 - sum(card.rank is rank for card in seen) / 32 for rank in RANKS]
        assert observed[:13] == pytest.approx(left)
        assert observed[13] == pytest.approx(1 - len(seen) / 416)
        action = int(chance.integers(7))
        observed, reward, over, _, info = env.step(np.int64(action))
        won = 0
        if action:
            on, stake = (PLAYER, BANKER, TIE)[(action - 1) // 2], (2_500, 10_300)[(action - 1) % 2]
            verdict = book.verdicts[on][each.coup.index]
            assert verdict is not None
            won = gain(book, verdict, stake)
        purse += won
        assert (reward * 2_500, info["purse"]) == (won, purse)
        seen += cards[each.position : each.position + each.coup.cards_dealt]
    assert over
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    _, again = env.reset()
    assert (again["seed"], again["shoe"]) == (info["seed"], info["shoe"] + 1)


def test_what_the_purse_does_not_cover_is_masked_and_refused() -> None:
    env = ShoeEnv("ma-midi-4", wagers=(PLAYER,), stakes=(2_500, 50_000), purse=10_000)
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 0]
    _, reward, _, _, info = env.step(np.int64(2))
    assert reward == 0
    assert "stakes 50000 cents, and the purse holds 10000" in info["refused"]
    over = False
    while not over:
        _, _, over, _, info = env.step(np.int64(1))
    assert info["purse"] < 2_500 or env.row > 60
    for wrong, says in (
        ({"stakes": (1,)}, "minimum"),
        ({"purse": 5}, "no stake"),
        ({"wagers": (WagerKind.ROYAL9,)}, "royal9"),
    ):
        with pytest.raises(ValueError, match=says):
            ShoeEnv("ma-midi-4", **wrong)


def test_tables_side_by_side_play_as_each_alone_does() -> None:
    names = ("ma-midi-4", "nj-punto-banco", "ma-midi-4-ez")
    many = ShoeVectorEnv(6, names, wagers=(PLAYER, BANKER), stakes=(10_000,), purse=200_000)
    observed, info = many.reset(seed=7)
    alone = [ShoeEnv(names[k % 3], wagers=(PLAYER, BANKER), stakes=(10_000,), purse=200_000) for k in range(6)]
    for k, env in enumerate(alone):
        first, own = env.reset(seed=7 + k)
        assert (first == observed[k]).all()
        assert own["seed"] == info["seed"][k]
    chance, over = np.random.default_rng(2), np.zeros(6, bool)
    for _ in range(200):
        actions = chance.integers(3, size=6)
        observed, rewards, ended, cut, info = many.step(actions)
        assert not cut.any()
        for k, env in enumerate(alone):
            if over[k]:
                seen, _ = env.reset()
                reward, end = 0.0, False
            else:
                seen, reward, end, _, mine = env.step(actions[k])
                assert (mine["action_mask"] == info["action_mask"][k]).all()
            assert (seen == observed[k]).all()
            assert (reward, end) == (rewards[k], ended[k])
        over = ended.copy()
    assert (info["shoe"] >= 2).any()
    many.reset()
    assert [env.reset()[1]["shoe"] for env in alone] == many.shoe.tolist()


def test_every_table_has_the_seed_and_the_shoe_that_it_was_given() -> None:
    many, one = ShoeVectorEnv(3), ShoeEnv()
    observed, info = many.reset(seed=[5, 900, 5])
    for k, seed in enumerate((5, 900, 5)):
        seen, own = one.reset(seed=seed)
        assert (seen == observed[k]).all()
        assert (own["seed"], own["shoe"]) == (info["seed"][k], info["shoe"][k])
    assert info["seed"][0] != info["seed"][1]
    observed, named = many.reset(options={"shoe": 40})
    assert named["shoe"].tolist() == [40, 40, 40]
    assert (named["seed"] == info["seed"]).all()
    one.reset(seed=900)
    assert (one.reset(options={"shoe": 40})[0] == observed[1]).all()
    _, partly = many.reset(seed=[None, 5, None])
    assert partly["shoe"].tolist() == [41, 0, 41]
    with pytest.raises(ValueError, match="2 seeds for 3 tables"):
        many.reset(seed=[1, 2])
    for env in (many, one):
        for options, says in (({"shoe": -1}, "shoe -1"), ({"shoe": "x"}, "shoe 'x'"), ({"hoe": 1}, "the only option")):
            with pytest.raises(ValueError, match=says):
                env.reset(options=options)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"purse": 100_000.5}, "purse: expected a whole number, not 100000.5"),
    ({"purse": True}, "purse: expected a whole number, not True"),
    ({"purse": 1 << 61}, "purse: .*; expected 1,152,921,504,606,846,975 at most"),
    ({"purse": 2_499}, "a purse of 2499 cents covers no stake; the lowest is 2500"),
    ({"stakes": (2_500.0,)}, "stake: expected a whole number, not 2500.0"),
    ({"stakes": ("2500",)}, "stake: expected a whole number, not '2500'"),
    ({"stakes": 2_500}, "stakes: expected a sequence, not 2500"),
    ({"wagers": ["player"]}, "expected a wager, such as BANKER, not 'player'"),
    ({"wagers": "player"}, "wagers: expected a sequence, not 'player'"),
    ({"wagers": PLAYER}, "wagers: expected a sequence, not"),
]


@pytest.mark.parametrize(("wrong", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_is_no_money_and_no_wager_is_refused_in_a_sentence(wrong: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {"wagers": (PLAYER,), "stakes": (2_500,)} | wrong
    for make in (ShoeEnv, ShoeVectorEnv):
        with pytest.raises((ValueError, TypeError), match=says):
            make(rules="ma-midi-4", **given)


def test_numbers_of_numpy_are_money_too_and_a_purse_stays_whole() -> None:
    given: dict[str, Any] = {"wagers": (PLAYER,), "stakes": np.array([2_500]), "purse": np.int64(5_000)}
    one, many = ShoeEnv("ma-midi-4", **given), ShoeVectorEnv(2, "ma-midi-4", **given)
    _, info = one.reset(seed=4)
    assert (type(info["purse"]), info["purse"]) == (int, 5_000)
    _, info = many.reset(seed=4)
    assert (info["purse"].dtype, info["purse"].tolist()) == (np.int64, [5_000] * 2)
    for wrong in (2.5, True, "2", 0):
        with pytest.raises(ValueError, match="num_envs: "):
            ShoeVectorEnv(wrong)  # type: ignore[arg-type]


LATER = [(name, rulebook(name, vig_collection="deferred")) for name in ("ma-midi-4", "nj-punto-banco")]


def shown_to(env: ShoeEnv, action: int, seed: int) -> tuple[list[float], list[dict[str, Any]]]:
    """The rewards and the infos of an episode with the same action in every round, the reset's info first."""
    observed, info = env.reset(seed=seed)
    rewards, infos, over = [], [info], False
    while not over:
        observed, reward, over, _, info = env.step(np.int64(action))
        assert observed[14:].tolist() == pytest.approx([info["purse"] / 40_000, info["owed"] / 40_000])
        rewards.append(reward)
        infos.append(info)
    return rewards, infos


@pytest.mark.clause("MA:12(d)(2)(i)", "NJ:3.3(c)4")
@pytest.mark.parametrize(("name", "rules"), LATER, ids=[name for name, _ in LATER])
@pytest.mark.slow
def test_deferred_vigorish_is_owed_and_collected_to_the_cent_as_in_the_studies(name: str, rules: Rulebook) -> None:
    """Against every card settled slowly, against a patron of the studies, and beside vigorish taken at once."""
    env = ShoeEnv(rules, wagers=(BANKER,), stakes=(10_300,), purse=40_000)
    at_once = ShoeEnv(name, wagers=(BANKER,), stakes=(10_300,), purse=40_000)
    check_env(env, skip_render_check=True)
    ends = set()
    for seed in range(40):
        rewards, infos = shown_to(env, 1, seed)
        first, last = infos[0], infos[-1]
        how: dict[str, Any] = {"purse": 40_000, "goal": None, "seed": first["seed"], "shoes": 1, "first": first["shoe"]}
        slowly = reckoned(rules, play.flat(BANKER, 10_300), **how)
        peak = max(info["owed"] for info in infos)
        # what is marked in the last round and collected with it was never shown
        assert slowly.peak - peak in {0, 515, 525}
        assert (last["purse"], last["uncollected"], last["owed"]) == (slowly.purse, slowly.uncollected, 0)
        assert len(rewards) == slowly.stayed
        assert sum(round(reward * 10_300) for reward in rewards) == slowly.purse - 40_000
        seat = study_patrons(rules, [play.flat(BANKER, 10_300)], sessions=1, **how).seats[0]
        assert (seat.result, seat.stayed) == (slowly.purse - 40_000, slowly.stayed)
        ends.add((slowly.ruined, slowly.uncollected > 0, slowly.collected > 0))
        _, other = shown_to(at_once, 1, seed)
        assert all(info["owed"] == info["uncollected"] == 0 for info in other)
        assert len(other) <= len(infos), "what is owed may be staked, so nobody is ruined sooner"
    assert ends >= {(False, False, True), (True, True, False), (True, False, True)}


@pytest.mark.clause("MA:12(d)(2)(i)")
def test_tables_that_defer_vigorish_play_beside_others_as_each_alone_does() -> None:
    rules = [LATER[0][1], rulebook("ma-midi-4")]
    given: dict[str, Any] = {"wagers": (PLAYER, BANKER), "stakes": (10_000,), "purse": 40_000}
    many, alone = ShoeVectorEnv(4, rules, **given), [ShoeEnv(rules[k % 2], **given) for k in range(4)]
    many.reset(seed=3)
    for k, env in enumerate(alone):
        env.reset(seed=3 + k)
    chance, over, owing, missed = np.random.default_rng(3), np.zeros(4, bool), 0, 0
    for _ in range(400):
        actions = chance.integers(3, size=4)
        observed, rewards, ended, _, info = many.step(actions)
        for k, env in enumerate(alone):
            if over[k]:
                seen, mine = env.reset()
            else:
                seen, reward, end, _, mine = env.step(actions[k])
                assert (reward, end) == (rewards[k], ended[k])
            assert (seen == observed[k]).all()
            assert [mine[key] for key in ("purse", "owed", "uncollected")] == [
                info[key][k] for key in ("purse", "owed", "uncollected")
            ]
        over = ended.copy()
        owing, missed = owing + info["owed"][::2].sum(), missed + info["uncollected"][::2].sum()
        assert not info["owed"][1::2].any()
    assert owing > 0
    assert missed > 0


def test_after_ruin_a_new_shoe_is_begun_first() -> None:
    """As after the last round of a shoe, although there are cards left."""
    env = ShoeEnv("ma-midi-4", wagers=(PLAYER,), stakes=(2_500,), purse=2_500)
    env.reset(seed=4)
    _, _, over, _, info = env.step(np.int64(1))
    assert (over, info["purse"]) == (True, 0)
    for _ in range(2):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(np.int64(0))
    assert env.row == 1
    _, info = env.reset()
    assert info["purse"] == 2_500
    env.step(np.int64(0))


def test_true_and_false_are_no_actions() -> None:
    one: Any = ShoeEnv(wagers=(PLAYER,), stakes=(2_500,))
    many: Any = ShoeVectorEnv(2, wagers=(PLAYER,), stakes=(2_500,))
    for env, wrong in (
        (one, [True, False, np.True_, np.float64(1.0), np.array([1]), None, "1"]),
        (many, [np.array([True, False]), [True, False], np.array([1.0, 0.0]), np.array([0.5, 0.0]), None, 1]),
    ):
        env.reset(seed=1)
        for each in wrong:
            with pytest.raises(gymnasium.error.InvalidAction, match="expected one of"):
                env.step(each)
    with pytest.raises(ValueError, match="shoe True: expected a whole number"):
        one.reset(options={"shoe": True})
    assert one.row == 0
    one.step(1)
    one.step(np.array(1))
    many.step(np.array([1, 0], np.int8))
    many.step([1, 0])


def test_a_number_that_is_no_action_is_an_error() -> None:
    """Minus one would otherwise be the last action, as Python counts from the end."""
    one: Any = ShoeEnv(wagers=(PLAYER,), stakes=(2_500,))
    many: Any = ShoeVectorEnv(2, wagers=(PLAYER,), stakes=(2_500,))
    for env in (one, many):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(np.zeros(2, np.int64))
        env.reset(seed=1)
    for wrong in (-1, 2, 99, 1.5):
        with pytest.raises(gymnasium.error.InvalidAction, match=f"action {wrong}: expected one of Discrete"):
            one.step(wrong)
        with pytest.raises(gymnasium.error.InvalidAction, match="expected one of MultiDiscrete"):
            many.step(np.array([0, wrong]))
    with pytest.raises(gymnasium.error.InvalidAction):
        many.step(np.array([0]))
    assert (one.row, many.row.tolist()) == (0, [0, 0])
    one.step(np.int64(1))
    many.step(np.array([0, 1]))


def test_gymnasium_makes_them_by_name() -> None:
    env = gymnasium.make(ID, rules="nj-punto-banco")
    env.reset(seed=1)
    many = gymnasium.make_vec(ID, num_envs=3)
    observed, _ = many.reset(seed=1)
    assert observed.shape == (3, 16)
    with pytest.raises(ValueError, match="different actions"):
        ShoeVectorEnv(2, ["ma-midi-4", "ma-midi-4-ez"])


def test_without_gymnasium_the_extra_that_brings_it_is_named() -> None:
    hidden = "import sys; sys.modules['gymnasium'] = None; import baccarat.sim.gym"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: environments need gymnasium: install baccarat[gym]"
