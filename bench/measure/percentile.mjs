/** @param {ArrayLike<number>} sorted ascending @param {number} share 0 to 1 */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]
}
