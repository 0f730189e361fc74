/**
 * One word for each value of a byte. The order is part of the wire contract: a client and a gateway of different
 * versions show different phrases for one flow as soon as a word is moved or replaced.
 */
export const PHRASE_WORDS: readonly string[] = `
  acorn album almond alpine amber apple apron atlas
  attic autumn avocado balloon bamboo banana barrel beacon
  blanket blossom bonfire branch bridge bronze bucket buffalo
  button cactus camera canary canoe caramel carbon carpet
  cashew castle cherry chess chimney cinema circle citrus
  cloud clover cobalt coconut coffee comet compass cookie
  copper cottage coyote cradle crayon cricket crystal cupcake
  curtain cushion daisy dancer diamond dolphin domino eagle
  eclipse elbow emerald engine fabric falcon farmer feather
  flannel flute folder fossil frost gadget galaxy garden
  garlic gazelle gecko giraffe glacier goose granite guitar
  hamster harvest hexagon hockey horizon hornet igloo iguana
  indigo insect island jaguar jasmine jelly jigsaw journal
  jungle juniper kayak kettle kitten koala ladder lantern
  laptop lemon leopard library lilac lizard lotus luggage
  magnet magpie mango marble mirror mosaic motor muffin
  museum napkin nebula needle nickel nutmeg oasis oatmeal
  ocean octopus office olive onion opera orange orbit
  orchid ostrich otter oxygen paddle palace panther papaya
  pasta peanut pebble pelican pencil penguin phoenix photo
  piano picnic pigeon pillow pirate pixel plywood pollen
  popcorn prairie pretzel prism pumpkin puppet puzzle pyramid
  quilt quiver rabbit raccoon radio rainbow raven recipe
  ribbon robin rooster salad scarf school scooter shadow
  shovel signal silver sketch slipper soccer sparrow spider
  spinach spiral sponge spruce stadium statue storm studio
  sugar summer sunset sweater syrup tablet teapot temple
  tennis thimble thunder tiger toast tomato topaz torch
  tornado toucan tractor tripod truffle tundra tunnel turbine
  turnip turtle tuxedo unicorn vacuum valley vanilla vector
  velvet village vinegar violin volcano voyage waffle wagon
  walrus whistle window winter wombat zebra zigzag zodiac
`
  .trim()
  .split(/\s+/)

const WORDS_IN_A_PHRASE = 3

/**
 * Three words that a person compares between the application they use and the page that asks them to confirm.
 * Derived from the state alone, so that nothing has to be sent for both to show the same ones.
 */
export async function phraseOf(state: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(state))
  return wordsOf(new Uint8Array(digest, 0, WORDS_IN_A_PHRASE))
}

/** A word for each byte. */
export function wordsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => PHRASE_WORDS[byte]).join(' ')
}
