"""The battery: statistics on the orders of many shoes, each with a p-value, judged together."""

from baccarat.audit.battery.battery_run import Battery as Battery
from baccarat.audit.battery.battery_run import battery as battery
from baccarat.audit.battery.judge import BatteryReport as BatteryReport
from baccarat.audit.battery.judge import TestResult as TestResult
from baccarat.audit.battery.series import series as series
