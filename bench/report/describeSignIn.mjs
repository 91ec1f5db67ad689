/** Set on another machine, so it informs only. */
const atMostUs = 1400

/**
 * Compares our wallet sign-in with the others.
 *
 * @param {Record<string, import('../types.d.ts').Figures>} walletSignIn by competitor, ours among them
 */
export function describeSignIn({ countersign, ceiling, ...others }) {
  const { cpuUs } = countersign
  const met = cpuUs <= atMostUs ? 'met' : 'not met on this machine'
  return [
    'Wallet sign-in, server CPU of both requests:',
    ...Object.entries(others).map(
      ([name, figures]) => `  countersign against ${name}: ${(figures.cpuUs / cpuUs).toFixed(1)} times less CPU`,
    ),
    ...(ceiling ? [`  countersign against ceiling: ${(cpuUs / ceiling.cpuUs).toFixed(2)} times its CPU`] : []),
    `  countersign: ${Math.round(cpuUs)} µs a sign-in; mark ${atMostUs} µs, ${met}`,
  ]
}
