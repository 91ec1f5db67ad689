/**
 * Protocol of this competitor in this workload, if it takes part.
 *
 * @param {import('../types.d.ts').Workload} workload
 * @param {{ name: string, wire: string }} competitor
 */
export function wireOf({ wires, competitors }, { name: given, wire }) {
  const name = given === 'countersign-before' ? 'countersign' : given
  if (competitors && !competitors.includes(name)) return undefined
  return wires[name] ?? wires[wire]
}
