"""Exact odds: every wager of a rulebook priced in fractions, from any remaining shoe, for a unit or at a stake."""

from baccarat.odds.advantage import remarks as remarks
from baccarat.odds.house_money import PressDecision as PressDecision
from baccarat.odds.house_money import PressEdge as PressEdge
from baccarat.odds.house_money import decisions as decisions
from baccarat.odds.house_money import press as press
from baccarat.odds.joint_wagers import exempt_pairs as exempt_pairs
from baccarat.odds.joint_wagers import together as together
from baccarat.odds.match_play import CouponPrice as CouponPrice
from baccarat.odds.match_play import coupon as coupon
from baccarat.odds.measure import Price as Price
from baccarat.odds.measure import PriceLine as PriceLine
from baccarat.odds.must_hit import kept_with_royal9 as kept_with_royal9
from baccarat.odds.must_hit import must_hit as must_hit
from baccarat.odds.must_hit import must_hit_seat as must_hit_seat
from baccarat.odds.price import Prices as Prices
from baccarat.odds.price import odds as odds
from baccarat.odds.removal import effect_of_removal as effect_of_removal
from baccarat.odds.royal9 import royal9 as royal9
from baccarat.odds.seats import round_wins as round_wins
from baccarat.odds.seats import win_band as win_band
from baccarat.odds.series import before_each_round as before_each_round
from baccarat.odds.shoe import ShoeCounts as ShoeCounts
