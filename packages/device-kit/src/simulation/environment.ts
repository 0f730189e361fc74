import type { Design } from './engine.ts'
import { approach, clamp, wander } from './numbers.ts'

interface Environment {
  temperature: number
  humidity: number
  /** Of the sky outside, from 0 to 1. */
  sky: number
  isOccupied: boolean
  carbonDioxide: number
  particles: number
  pressure: number
}

/** Outdoors, and of a room in which somebody works, in ppm. */
const AIR = { fresh: 420, used: 1_600 }

export const environment: Design<Environment> = {
  name: 'environment',
  title: 'Environment',
  model: 'Room sensor',
  start: (random) => ({
    temperature: 21 + random() * 2,
    humidity: 45,
    sky: 0.6,
    isOccupied: true,
    carbonDioxide: 600 + random() * 100,
    particles: 8,
    pressure: 1_013,
  }),
  step(state, { dt, random }) {
    // Somebody comes or goes every two minutes or so, and with them warmth, light and used air.
    if (random() < dt / 120) state.isOccupied = !state.isOccupied
    const warm = { around: state.isOccupied ? 23 : 21, spread: 0.4, timeConstant: 300 }
    state.temperature = wander(state.temperature, warm, dt, random)
    const damp = { around: state.isOccupied ? 50 : 42, spread: 2, timeConstant: 240 }
    state.humidity = wander(state.humidity, damp, dt, random)
    state.sky = clamp(wander(state.sky, { around: 0.6, spread: 0.2, timeConstant: 180 }, dt, random), 0, 1)
    state.carbonDioxide = approach(state.carbonDioxide, state.isOccupied ? AIR.used : AIR.fresh, 400, dt)
    state.particles = wander(state.particles, { around: 9, spread: 2, timeConstant: 90 }, dt, random)
    state.pressure = wander(state.pressure, { around: 1_013, spread: 3, timeConstant: 3_600 }, dt, random)
  },
  stop: () => undefined,
  channels: {
    temperature: {
      name: 'Temperature',
      device_class: 'temperature',
      unit_of_measurement: '°C',
      min: -40,
      max: 85,
      step: 0.01,
      read: ({ temperature }, noise) => temperature + noise(0.03),
    },
    humidity: {
      name: 'Humidity',
      device_class: 'humidity',
      unit_of_measurement: '%',
      min: 0,
      max: 100,
      step: 0.1,
      read: ({ humidity }, noise) => humidity + noise(0.2),
    },
    light: {
      name: 'Light',
      device_class: 'illuminance',
      unit_of_measurement: 'lx',
      min: 0,
      max: 10_000,
      step: 1,
      read: ({ sky, isOccupied }, noise) => 600 * sky + (isOccupied ? 350 : 0) + noise(3),
    },
    carbon_dioxide: {
      name: 'Carbon dioxide',
      device_class: 'carbon_dioxide',
      unit_of_measurement: 'ppm',
      min: 400,
      max: 5_000,
      step: 1,
      read: ({ carbonDioxide }, noise) => carbonDioxide + noise(8),
    },
    particles: {
      name: 'Fine particles',
      device_class: 'pm25',
      unit_of_measurement: 'µg/m³',
      min: 0,
      max: 500,
      step: 0.1,
      read: ({ particles }, noise) => particles + noise(0.3),
    },
    air_quality: {
      name: 'Air quality',
      device_class: 'aqi',
      min: 0,
      max: 500,
      step: 1,
      // Of the worse of both.
      read: ({ carbonDioxide, particles }) => Math.max((carbonDioxide - AIR.fresh) / 10, particles * 4),
    },
    pressure: {
      name: 'Air pressure',
      device_class: 'atmospheric_pressure',
      unit_of_measurement: 'hPa',
      min: 900,
      max: 1_100,
      step: 0.1,
      read: ({ pressure }, noise) => pressure + noise(0.1),
    },
    occupied: {
      platform: 'binary_sensor',
      name: 'Occupied',
      device_class: 'occupancy',
      read: ({ isOccupied }) => isOccupied,
    },
  },
}
