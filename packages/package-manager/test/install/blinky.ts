import { BLINKY } from './installation.ts'
import { Shop } from './shop.ts'

export const KEEP = { version: { keep_on_update: ['/settings\\.ini$'] } }

/** Two versions with different folders and a settings file. */
export const ONE = {
  'plugins/main.py': 'one',
  'plugins/settings.ini': 'factory',
  'resources/icon.txt': 'old',
}
export const TWO = { 'plugins/main.py': 'two', 'plugins/lib/x.py': 'x', 'footprints/led.mod': 'led' }

export const INSTALLED_ONE = {
  'plugins/com_example_blinky/main.py': 'one',
  'plugins/com_example_blinky/settings.ini': 'factory',
  'resources/com_example_blinky/icon.txt': 'old',
}
export const INSTALLED_TWO = {
  'footprints/com_example_blinky/led.mod': 'led',
  'plugins/com_example_blinky/lib/x.py': 'x',
  'plugins/com_example_blinky/main.py': 'two',
}

export function openShop(): Shop {
  const shop = new Shop()
  shop.add(BLINKY, '1.0.0', ONE, KEEP)
  shop.add(BLINKY, '2.0.0', TWO, KEEP)
  return shop
}
