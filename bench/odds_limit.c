/* The limit that bench/odds.py measures the vectors' kernel against: its algorithm, written by hand in C.
 *
 * LANES doubles side by side through the compiler's vector types; the plan is the one that
 * baccarat.odds.vector_kernel makes. PLAYERS is the number of counts on which the Player draws.
 */
#include <stdint.h>
#include <string.h>

typedef double V __attribute__((vector_size(8 * LANES)));
typedef uint64_t Index;
enum { PAIR = 0, BANKERS = 100, WIDE = 110, NOBODY = 111, FINISHED = 112, ONE_CARD = 113, DOUBLES = 124 };

typedef struct {
    V counts[20], twice[30], without[550], openings[100], less_one[100], both[400], found[400];
} Room;

static inline V splat(double number) { return number - (V){}; }

static inline void set_twice(Room *room, Index value, V number) {
    room->twice[value] = room->twice[value + 10] = room->twice[value + 20] = number;
}

static V take(Room *room, const double *counts, Index shoe, Index shoes) {
    V size = splat(0);
    for (Index value = 0; value < 10; value++) {
        V count;
        memcpy(&count, counts + value * shoes + shoe, sizeof count);
        room->counts[value] = room->counts[value + 10] = count;
        set_twice(room, value, count + count);
        size += count;
    }
    return size;
}

static void count_openings(const Index *plan, Room *room) {
    V pairs[10], less[10];
    memset(room->openings, 0, sizeof room->openings);
    for (Index total = 0; total < 10; total++) {
        pairs[total] = splat(0);
        for (Index value = 0; value < 10; value++) pairs[total] += room->counts[value] * room->counts[total + 10 - value];
    }
    for (Index value = 0; value < 10; value++) pairs[2 * value % 10] -= room->counts[value];
    for (Index x = 0; x < 10; x++) {
        for (Index total = 0; total < 10; total++) less[total] = pairs[total] - room->twice[total + 10 - x];
        less[2 * x % 10] += 2;
        for (Index y = x; y < 10; y++) {
            V *without = room->without + plan[PAIR + x * 10 + y], *row = room->openings + (x + y) % 10 * 10;
            for (Index total = 0; total < 10; total++) without[total] = less[total] - room->twice[total + 10 - y];
            without[(x + y) % 10] += 2;
            without[2 * y % 10] += 2;
            V ways = room->counts[x] * (x == y ? room->counts[x] - 1 : room->twice[y]);
            for (Index b = 0; b < 10; b++) row[b] += ways * without[b];
        }
    }
}

static void take_one(const Index *plan, Room *room, Index x) {
    V beside[10];
    for (Index total = 0; total < 10; total++) beside[total] = room->twice[total + 10 - x];
    beside[2 * x % 10] -= 2;
    for (Index p = 0; p < plan[WIDE]; p++) {
        const V *mine = room->without + plan[PAIR + x * 10 + (p + 10 - x) % 10];
        for (Index b = 0; b < plan[WIDE]; b++) {
            const V *yours = room->without + plan[PAIR + x * 10 + (b + 10 - x) % 10];
            room->less_one[p * 10 + b] = room->openings[p * 10 + b] - beside[p] * mine[b] - beside[b] * yours[p];
        }
    }
}

static inline V opening(const Room *room, const V *without, Index y, Index p, Index b) {
    const V *beside = room->twice + (10 - y) % 10;
    V ways = room->less_one[p * 10 + b] - beside[p] * (without[b] - room->twice[y + 10 + b - p]);
    return ways - beside[b] * (without[p] - room->twice[y + 10 - b + p]);
}

static void take_two(const Index *plan, Room *room, Index x) {
    V all_x = room->twice[x], first = room->counts[x];
    set_twice(room, x, all_x - 2);
    Index below_x = plan[BANKERS + x];
    for (Index y = x; y < 10; y++) {
        Index below_y = plan[BANKERS + y], least = below_x < below_y ? below_x : below_y;
        V all_y = room->twice[y], *this = room->both + x * 20 + y, *that = room->both + y * 20 + x;
        const V *without = room->without + plan[PAIR + x * 10 + y];
        set_twice(room, y, all_y - 2);
        V ways = first * (x == y ? first - 1 : room->counts[y]);
        if (x == y) least = 0;
        for (Index b = 0; b < least; b++)
            for (Index p = 0; p < PLAYERS; p++) {
                V all = ways * opening(room, without, y, p, b);
                this[p * 20 + b] += all;
                that[p * 20 + b] += all;
            }
        V *longer = below_x >= below_y ? this : that;
        for (Index b = least; b < (below_x > below_y ? below_x : below_y); b++)
            for (Index p = 0; p < PLAYERS; p++) longer[p * 20 + b] += ways * opening(room, without, y, p, b);
        for (Index at = plan[DOUBLES + y]; at < plan[DOUBLES + y + 1]; at += 3) {
            Index b = plan[at + 1], cell = plan[at] * 20 + b;
            V wrong = 2 * ways * room->twice[plan[at + 2]];
            if (b < below_x) this[cell] -= wrong;
            if (b < below_y && x != y) that[cell] -= wrong;
        }
        set_twice(room, y, all_y);
    }
    set_twice(room, x, all_x);
}

static void count(const Index *plan, Room *room, V size) {
    V any_sixth = size - 5, any_two = (size - 4) * any_sixth;
    memset(room->found, 0, sizeof room->found);
    memset(room->both, 0, sizeof room->both);
    count_openings(plan, room);
    for (Index at = plan[NOBODY]; at < plan[FINISHED]; at += 2) room->found[plan[at + 1]] = any_two * room->openings[plan[at]];
    for (Index x = 0; x < 10; x++) {
        take_one(plan, room, x);
        V ways = any_sixth * room->counts[x];
        for (Index at = plan[ONE_CARD + x]; at < plan[ONE_CARD + x + 1]; at += 2)
            room->found[plan[at + 1]] += ways * room->less_one[plan[at]];
        take_two(plan, room, x);
    }
    for (Index p = 0; p < 10; p++)
        for (Index b = 0; b < 10; b++) {
            const V *cell = room->both + p * 20 + b;
            room->found[p * 40 + b * 4 + 3] = cell[0] + cell[10] + cell[200] + cell[210];
        }
}

/* [finish, shoe] from [value, shoe]; a whole number of vectors. */
void joint(const Index *plan, const double *counts, double *table, Index shoes) {
    Room room;
    for (Index shoe = 0; shoe < shoes; shoe += LANES) {
        count(plan, &room, take(&room, counts, shoe, shoes));
        for (Index at = plan[FINISHED]; at < plan[ONE_CARD]; at++)
            memcpy(table + plan[at] * shoes + shoe, room.found + plan[at], sizeof(V));
    }
}

/* [wager, shoe] from [value, shoe], through groups of finishes that pay alike. */
void edges(const Index *plan, const double *counts, double *found, Index shoes, const Index *members,
           const Index *bounds, const double *digits, const Index *starts, const double *denominators, Index wagers,
           Index groups) {
    Room room;
    V totals[400];
    for (Index shoe = 0; shoe < shoes; shoe += LANES) {
        V size = take(&room, counts, shoe, shoes);
        count(plan, &room, size);
        for (Index group = 0; group < groups; group++) {
            totals[group] = splat(0);
            for (Index at = bounds[group]; at < bounds[group + 1]; at++) totals[group] += room.found[members[at]];
        }
        V deals = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5);
        for (Index wager = 0; wager < wagers; wager++) {
            V won = splat(0);
            for (Index row = starts[wager + 1]; row-- > starts[wager];) {
                V digit = splat(0);
                for (Index group = 0; group < groups; group++) digit += digits[row * groups + group] * totals[group];
                won = won * 8 + digit;
            }
            won /= denominators[wager] * (deals * 0.25);
            memcpy(found + wager * shoes + shoe, &won, sizeof won);
        }
    }
}
