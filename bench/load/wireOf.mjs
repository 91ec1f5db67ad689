import { workload as health } from '../workloads/health.mjs'

/**
 * Protocol of this competitor in this workload, if it takes part. The floor sends its constant beside every workload of
 * request and response.
 *
 * @param {import('../types.d.ts').Workload} workload
 * @param {{ name: string, wire: string }} competitor
 */
export function wireOf({ wires, competitors, drive }, { name: given, wire }) {
  if (given === 'floor') return drive ? undefined : health.wires.floor
  const name = given === 'countersign-before' ? 'countersign' : given
  if (competitors && !competitors.includes(name)) return undefined
  return wires[name] ?? wires[wire]
}
