/** The process of one measurement: its id in, its readings out. */
import { idOf } from './figure.ts'
import { MEASUREMENTS } from './measurements/index.ts'

const measurement = MEASUREMENTS.find((one) => idOf(one) === process.argv[2])
if (measurement === undefined) throw new Error(`there is no measurement ${process.argv[2]}`)
const readings = await measurement.measure()
process.send?.(readings, () => process.disconnect())
