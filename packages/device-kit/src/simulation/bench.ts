import { chip, gpio } from './electronics.ts'
import { type SimulatedDevice, simulate } from './engine.ts'
import { environment } from './environment.ts'
import { led, lights } from './lights.ts'
import { motor, speedController } from './motors.ts'
import { mix } from './numbers.ts'
import { ptzCamera, servo } from './positioning.ts'
import { charger, workcellPower } from './power.ts'
import { robotLog } from './robot-log.ts'
import { imu, timeOfFlight, ultrasonic, ultraWideband } from './sensors.ts'
import { oven, pressureChamber, thermometer } from './thermal.ts'
import { drone, lineFollower } from './vehicles.ts'

/** A bench with one device of each kind. The same seed, steps and commands give the same values. */
export function createBench(seed: number): readonly SimulatedDevice[] {
  // Each has a generator of its own, so that what one is told changes nothing of another.
  const seedOf = (part: number) => mix(seed, part)
  return [
    simulate(motor, seedOf(0)),
    simulate(led, seedOf(1)),
    simulate(servo, seedOf(2)),
    simulate(drone, seedOf(3)),
    simulate(speedController, seedOf(4)),
    simulate(lights, seedOf(5)),
    simulate(workcellPower, seedOf(6)),
    simulate(gpio, seedOf(7)),
    simulate(imu, seedOf(8)),
    simulate(timeOfFlight, seedOf(9)),
    simulate(ultrasonic, seedOf(10)),
    simulate(lineFollower, seedOf(11)),
    simulate(thermometer, seedOf(12)),
    simulate(chip, seedOf(13)),
    simulate(oven, seedOf(14)),
    simulate(pressureChamber, seedOf(15)),
    simulate(ultraWideband, seedOf(16)),
    simulate(environment, seedOf(17)),
    simulate(robotLog, seedOf(18)),
    simulate(charger, seedOf(19)),
    simulate(ptzCamera, seedOf(20)),
  ]
}
