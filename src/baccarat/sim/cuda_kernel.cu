// Whole shoes on a GPU: the streams of stream.py and the counters of plan.py, bit for bit as the kernel on a processor.
//
// One thread deals four shoes, those that share a generator. A shoe's cumulative counts stand three to a word, ten bits
// each; the tenth is always set, so that (counters - (r + 1)) & GUARD has it set just where a counter is above r.
//
// Defined before this text: WORDS (words of counters), CLASSES, DETAIL (0 totals, 1 pairs, 2 Royal 9), BY_SUIT (whether
// classes part a rank), VALUE(x) (what class x is worth), COPIES (tallies of a block), THREADS and BLOCKS (of a
// multiprocessor). Plain C but for the words that mark code for a GPU, so that a C compiler can check it too.

typedef unsigned int u32;
typedef unsigned long long u64;

#define GUARD 0x20080200u
#define THIRDS 0x00100401u
#define FINISHES 400
#define HANDS 49
#define COUNTERS (DETAIL == 1 ? 4 * FINISHES : FINISHES)
#define LOW16 65535u

// the plan, as numbers of 32 bits
enum { DECKS, DEPTH, ROUNDS, LEAST, MOST, ENDS_LOW, ENDS_HIGH, VALUES = 8, BURNT = 40, AFTER = 72, MARKS = 104, PLAYER = 136,
       ALONE = 146, PLAN_SIZE = 156 };

typedef struct { u32 c[WORDS], n, low, limit, to_deal; } Shoe;
typedef struct { u64 a, b, c; u32 counter; } Chance;

__device__ __forceinline__ u32 smaller(u32 x, u32 y) { return x < y ? x : y; }
__device__ __forceinline__ u32 modulo_ten(u32 x) { return smaller(x, x - 10u); }

// SFC64
__device__ __forceinline__ u64 next(Chance *s) {
  u64 output = s->a + s->b + s->counter++;
  s->a = s->b ^ (s->b >> 11);
  s->b = s->c + (s->c << 3);
  s->c = ((s->c << 24) | (s->c >> 40)) + output;
  return output;
}

// SplitMix64 by address, for what is needed seldom
__device__ u64 rare(u64 seed, u64 shoe, u64 subject, u64 attempt) {
  u64 z = seed + ((shoe << 16) + (subject << 4) + attempt) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// the class of card number r, taken out; above is r + 1
__device__ __forceinline__ u32 take(Shoe *s, u32 above) {
  u32 fields = above * THIRDS, sum = 0;
  #pragma unroll
  for (int i = 0; i < WORDS; i++) {
    u32 taken = ((s->c[i] - fields) & GUARD) >> 9;
    s->c[i] -= taken;
    sum += taken;
  }
  s->n--;
  return CLASSES - 1 - ((sum * THIRDS >> 20) & 31);
}

// the counters of class k in both piles; every word is written, by a mask, so that all of them stay in registers
__device__ __forceinline__ void add_field(u32 *first, u32 *second, u32 one, u32 other, u32 k) {
  #pragma unroll
  for (int i = 0; i < WORDS; i++) {
    u32 here = 0u - (u32)((u32)i == k / 3);
    first[i] |= one << 10 * (k % 3) & here;
    second[i] |= other << 10 * (k % 3) & here;
  }
}

// coins of a shoe thrown again until its piles fit; the counters of both, and the size of the first
__device__ __forceinline__ u32 part_again(const u32 *plan, u64 seed, u64 shoe, u64 ends, u32 *first, u32 *second) {
  u32 n = 0, coins = 4 * plan[DECKS];
  for (u64 attempt = 0; attempt == 0 || n > plan[MOST] || n < plan[LEAST]; attempt++) {
    u32 k = 0, seen = 0;
    n = 0;
    #pragma unroll
    for (int i = 0; i < WORDS; i++) first[i] = second[i] = 0;
    for (int rank = 0; rank < 13; rank++) {
      u32 bits = (u32)rare(seed, shoe, 1 + rank, attempt);
      if (coins < 32) bits &= (1u << coins) - 1;
      for (int suit = 0; suit < 4; suit++) {
        n += __popc(bits & 0x11111111u << suit);
        seen += plan[DECKS];
        if (ends >> (4 * rank + suit) & 1) {
          if (k < CLASSES - 1) add_field(first, second, n, seen - n, k);
          k++;
        }
      }
    }
  }
  return n;
}

__device__ __forceinline__ void store_class(Shoe *s, u32 second[4][WORDS], const u32 *size, u32 seen, u32 k) {
  #pragma unroll
  for (int j = 0; j < 4; j++) add_field(s[j].c, second[j], size[j], seen - size[j], k);
}

// one round of one shoe, which has not been found void
__device__ __forceinline__ void play(Shoe *s, const u32 *plan, const u32 *product, u32 *tally, u32 *royals) {
  u32 x0 = take(s, (product[0] >> 16) + 1), x1 = take(s, (product[1] >> 16) + 1);
  u32 x2 = take(s, (product[2] >> 16) + 1), x3 = take(s, (product[3] >> 16) + 1);
  u32 p = modulo_ten(VALUE(x0) + VALUE(x2)), b = modulo_ten(VALUE(x1) + VALUE(x3)), drew = 0;
  if (plan[PLAYER + p] >> b & 1) {
    u32 x4 = take(s, (product[4] >> 16) + 1);
    p = modulo_ten(p + VALUE(x4));
    drew = 2;
    if (plan[AFTER + x4] >> b & 1) { u32 x5 = take(s, (product[5] >> 16) + 1); b = modulo_ten(b + VALUE(x5)); drew = 3; }
  } else if (plan[ALONE + p] >> b & 1) {
    u32 x4 = take(s, (product[4] >> 16) + 1);
    b = modulo_ten(b + VALUE(x4));
    drew = 1;
  }
  u32 finish = p * 40 + b * 4 + drew;
#if DETAIL == 1
  atomicAdd(tally + 4 * finish + 2 * (x0 == x2) + (x1 == x3), 1u);
#else
  atomicAdd(tally + finish, 1u);
#endif
#if DETAIL == 2
  u32 player = smaller((plan[MARKS + x0] + plan[MARKS + x2] - 196u) & 255u, HANDS - 1);
  u32 banker = smaller((plan[MARKS + x1] + plan[MARKS + x3] - 196u) & 255u, HANDS - 1);
  if (player + banker < 2 * (HANDS - 1)) atomicAdd(royals + player * HANDS + banker, 1u);
#endif
}

// shoes first … stop - 1; found has COUNTERS numbers, and for Royal 9 those of opening hands after them
#ifdef __cplusplus
extern "C"
#endif
__global__ void __launch_bounds__(THREADS, BLOCKS) deal(u64 seed, u64 first, u64 stop, const u32 *given, u64 *found) {
  __shared__ u32 tally[COPIES][COUNTERS];
  __shared__ u32 royals[DETAIL == 2 ? HANDS * HANDS : 1];
  __shared__ unsigned short unfair[256];
  __shared__ u32 plan[PLAN_SIZE];
  for (u32 i = threadIdx.x; i < COPIES * COUNTERS; i += blockDim.x) (&tally[0][0])[i] = 0;
  for (u32 i = threadIdx.x; i < (DETAIL == 2 ? HANDS * HANDS : 1); i += blockDim.x) royals[i] = 0;
  for (u32 i = threadIdx.x; i < 256; i += blockDim.x) unfair[i] = (unsigned short)(i ? 65536 % i : 0);
  for (u32 i = threadIdx.x; i < PLAN_SIZE; i += blockDim.x) plan[i] = given[i];
  __syncthreads();
  const u32 decks = plan[DECKS], coins = 4 * decks, all = 52 * decks, rounds = plan[ROUNDS];
  const u32 rest = coins >= 32 ? LOW16 : (1u << (coins - 16)) - 1;
  const u64 ends = plan[ENDS_LOW] | (u64)plan[ENDS_HIGH] << 32;
  u32 *mine = tally[threadIdx.x % COPIES];
  const u64 last_quad = (stop + 3) / 4;
  for (u64 quad = first / 4 + blockIdx.x * (u64)blockDim.x + threadIdx.x; quad < last_quad; quad += gridDim.x * (u64)blockDim.x) {
    Chance chance = {quad, seed, 0, 1};
    for (int i = 0; i < 18; i++) next(&chance);
    Shoe s[4];
    u32 second[4][WORDS], size[4] = {0, 0, 0, 0};
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      #pragma unroll
      for (int i = 0; i < WORDS; i++) s[j].c[i] = second[j][i] = 0;
    }
    u32 k = 0, seen = 0;
    for (int rank = 0; rank < 13; rank++) {
      u64 x = next(&chance), y = next(&chance);
#if BY_SUIT
      for (int suit = 0; suit < 4; suit++) {
        u32 mask = 0x1111u << suit;
        #pragma unroll
        for (int j = 0; j < 4; j++) size[j] += __popc((u32)(x >> 16 * j) & mask) + __popc((u32)(y >> 16 * j) & mask & rest);
        seen += decks;
        if (ends >> (4 * rank + suit) & 1) { if (k < CLASSES - 1) store_class(s, second, size, seen, k); k++; }
      }
#else
      #pragma unroll
      for (int j = 0; j < 4; j++) size[j] += __popc((u32)(x >> 16 * j) & LOW16) + __popc((u32)(y >> 16 * j) & rest);
      seen += coins;
      if (ends >> (4 * rank + 3) & 1) { if (k < CLASSES - 1) store_class(s, second, size, seen, k); k++; }
#endif
    }
    u64 burn = next(&chance);
    u32 live = 0, in_first = 15, last = 0;
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      u64 shoe = 4 * quad + j;
      if (shoe >= first && shoe < stop) live |= 1u << j;
      if (size[j] > plan[MOST] || size[j] < plan[LEAST]) {
        u32 one[WORDS], other[WORDS];
        size[j] = part_again(plan, seed, shoe, ends, one, other);
        #pragma unroll
        for (int i = 0; i < WORDS; i++) { s[j].c[i] = one[i]; second[j][i] = other[i]; }
      }
      #pragma unroll
      for (int i = 0; i < WORDS; i++) s[j].c[i] |= GUARD;
      u32 n = size[j], product = ((u32)(burn >> 16 * j) & LOW16) * n;
      for (u64 attempt = 0; (product & LOW16) < unfair[n]; attempt++) product = (u32)(rare(seed, shoe, 0, attempt) >> 48) * n;
      s[j].n = n;
      u32 card = take(&s[j], (product >> 16) + 1);
      s[j].low = 6;
      s[j].limit = rounds ? 0 : plan[DEPTH] + plan[BURNT + card];
      s[j].to_deal = rounds;
    }
    while (live) {
      u64 t0 = next(&chance), t1 = next(&chance), t2 = next(&chance), t3 = next(&chance), t4 = next(&chance), t5 = next(&chance);
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        #define WORD(t) ((j & 2 ? (u32)((t) >> 32) : (u32)(t)) >> 16 * (j & 1) & LOW16)
        u32 n = s[j].n;
        u32 product[6] = {WORD(t0) * n, WORD(t1) * (n - 1), WORD(t2) * (n - 2), WORD(t3) * (n - 3), WORD(t4) * (n - 4), WORD(t5) * (n - 5)};
        u32 least = smaller(smaller(smaller(product[0] & LOW16, product[1] & LOW16), smaller(product[2] & LOW16, product[3] & LOW16)),
                            smaller(product[4] & LOW16, product[5] & LOW16));
        u32 is_void = 0;
        if (least < n && live >> j & 1) {  // only then may a word be unfair
          #pragma unroll
          for (int d = 0; d < 6; d++) is_void |= (product[d] & LOW16) < unfair[n - d];
        }
        if ((live >> j & 1) && !is_void) {
          play(&s[j], plan, product, mine, royals);
          if (rounds && --s[j].to_deal == 0) live &= ~(1u << j);
          if (s[j].n < s[j].low) {
            if (in_first >> j & 1) {  // the first pile is nearly dealt: what is left of it and the second are one
              #pragma unroll
              for (int i = 0; i < WORDS; i++) s[j].c[i] += second[j][i];
              s[j].n += all - size[j];
              s[j].low = s[j].limit;
              in_first &= ~(1u << j);
            } else if (last >> j & 1) {
              live &= ~(1u << j);
            } else {  // the cover card is out: one more round
              last |= 1u << j;
              s[j].low = 1000;
            }
          }
        }
      }
    }
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < COUNTERS; i += blockDim.x) {
    u64 sum = 0;
    for (int copy = 0; copy < COPIES; copy++) sum += tally[copy][i];
    if (sum) atomicAdd(found + i, sum);
  }
#if DETAIL == 2
  for (u32 i = threadIdx.x; i < HANDS * HANDS; i += blockDim.x) if (royals[i]) atomicAdd(found + FINISHES + i, (u64)royals[i]);
#endif
}
