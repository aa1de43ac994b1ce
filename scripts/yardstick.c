/* Yardstick of bench.py: Ottocento dealt, discarded and played at random, in C.
 *
 * The algorithms and random streams of sim/kernels, one hand at a time, without declarations and
 * points, so that every hand must have the same tricks there and here. A set of cards has bit i
 * for the card of canonical index i: four suits of ten, 21 trumps from the Pagat, the Fool.
 */

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define WHOLE_PACK ((1ULL << 62) - 1)
#define SUIT ((1ULL << 10) - 1) /* swords */
#define TRUMPS (((1ULL << 21) - 1) << 40)
#define PAGAT (1ULL << 40)
#define FIRST_MOOR 41
#define MOORS (0xFULL << FIRST_MOOR)
#define WORLD (1ULL << 59)
#define ANGEL (1ULL << 60)
#define FOOL (1ULL << 61)
#define KINGS (1ULL << 9 | 1ULL << 19 | 1ULL << 29 | 1ULL << 39)
#define NEVER_DISCARDED (KINGS | PAGAT | WORLD | ANGEL | FOOL)

enum { HAND_SIZE = 15, DRAWS_OF_A_SPLIT = 64 };
enum { DEAL = 0, DISCARD = 1, PLAY = 6 }; /* purposes of streams; PLAY + seat */

#define DRAW_STEP 0x9E3779B97F4A7C15ULL
#define DECISION_STEP 0xADF85458A2BB4A9BULL
#define PURPOSE_STEP 0xC90FDAA22168C235ULL

static inline uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ word >> 27) * 0x94D049BB133111EBULL;
    return word ^ word >> 31;
}

static inline uint64_t draw(uint64_t key, uint64_t number)
{
    return mix(key + number * DRAW_STEP);
}

static inline int draw_below(uint64_t key, uint64_t number, int n)
{
    return (int)((unsigned __int128)draw(key, number) * (unsigned)n >> 64);
}

static inline int count(uint64_t cards)
{
    return __builtin_popcountll(cards);
}

/* Index of the n-th lowest card, from 0. */
static inline int nth(uint64_t cards, int n)
{
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ULL << n, cards));
#else
    while (n--)
        cards &= cards - 1;
    return __builtin_ctzll(cards);
#endif
}

static inline int random_card(uint64_t cards, uint64_t key, uint64_t number)
{
    return nth(cards, draw_below(key, number, count(cards)));
}

/* A uniform subset: a coin for each card, then cards dropped or added until the size is right. */
static uint64_t split(uint64_t cards, int size, uint64_t key, uint64_t number)
{
    uint64_t chosen = cards & draw(key, number) >> 2;
    while (count(chosen) > size)
        chosen ^= 1ULL << random_card(chosen, key, ++number);
    while (count(chosen) < size)
        chosen |= 1ULL << random_card(cards ^ chosen, key, ++number);
    return chosen;
}

static void deal(uint64_t hands[4], int dealer, uint64_t key)
{
    uint64_t pair = split(WHOLE_PACK, 2 * HAND_SIZE, key, 0);
    uint64_t eldest = split(pair, HAND_SIZE, key, DRAWS_OF_A_SPLIT);
    uint64_t rest = WHOLE_PACK ^ pair;
    uint64_t third = split(rest, HAND_SIZE, key, 2 * DRAWS_OF_A_SPLIT);
    hands[(dealer + 1) & 3] = eldest;
    hands[(dealer + 2) & 3] = pair ^ eldest;
    hands[(dealer + 3) & 3] = third;
    hands[dealer] = rest ^ third;
}

static uint64_t discarded(uint64_t hand, uint64_t key)
{
    uint64_t allowed = hand & ~NEVER_DISCARDED;
    uint64_t first = 1ULL << random_card(allowed, key, 0);
    return first | 1ULL << random_card(allowed ^ first, key, 1);
}

static const uint64_t suit_of[62] = {
    [0 ... 9] = SUIT,
    [10 ... 19] = SUIT << 10,
    [20 ... 29] = SUIT << 20,
    [30 ... 39] = SUIT << 30,
    [40 ... 60] = TRUMPS,
    [61] = 0, /* after the Fool any card may follow */
};

/* Here and in a trick, arithmetic stands for jumps that could not be foreseen. */
static inline uint64_t legal_cards(uint64_t hand, uint64_t led)
{
    uint64_t follow = hand & led;
    uint64_t obliged = follow | (hand & TRUMPS & -(uint64_t)(follow == 0));
    return led && obliged ? obliged | (hand & FOOL) : hand;
}

/* Play a trick and return its winner, the leader if nothing but the Fool could win. */
static inline int play_trick(uint64_t hands[4], int leader, int trick, uint64_t key)
{
    uint64_t led = 0;
    int best = -4 | leader; /* rank << 2 | seat of the card that wins so far */
    for (int position = 0; position < 4; position++) {
        int seat = (leader + position) & 3;
        uint64_t decision =
            key + (uint64_t)(PLAY + seat) * PURPOSE_STEP + (uint64_t)trick * DECISION_STEP;
        int card = random_card(legal_cards(hands[seat], led), decision, 0);
        uint64_t bit = 1ULL << card;
        hands[seat] ^= bit;
        led = led ? led : suit_of[card];
        int power = (bit & MOORS ? FIRST_MOOR : card) << 2 | seat; /* of Moors the last wins */
        int wins = ((power | 3) >= best) & ((bit & (led | TRUMPS)) != 0);
        best ^= (best ^ power) & -wins;
    }
    return best & 3;
}

/* Play hands first to first + n - 1: tricks of side 0, and the side that won the last trick. */
void play_hands(uint64_t seed, int64_t first, int64_t n, uint8_t *tricks0, uint8_t *last_trick)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t hands[4], number = (uint64_t)(first + i);
        uint64_t key = mix(mix(seed) + number * DRAW_STEP);
        int dealer = (int)(number & 3), leader = (dealer + 1) & 3;
        int won = 0;
        deal(hands, dealer, key + DEAL * PURPOSE_STEP);
        hands[dealer] ^= discarded(hands[dealer], key + DISCARD * PURPOSE_STEP);
        for (int trick = 0; trick < HAND_SIZE; trick++) {
            leader = play_trick(hands, leader, trick, key);
            won += !(leader & 1);
        }
        tricks0[i] = (uint8_t)won;
        last_trick[i] = (uint8_t)(leader & 1);
    }
}
