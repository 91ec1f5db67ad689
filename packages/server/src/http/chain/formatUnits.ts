/** A whole number of the smallest unit as a decimal number, exactly. */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${part && `.${part}`}`
}
