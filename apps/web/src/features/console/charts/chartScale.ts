/** Round numbers from 0 to the first one above the largest value: 0, 20, 40, 60. */
export function findTicks(values: readonly number[], least = 1): number[] {
  const most = Math.max(least, ...values.filter(Number.isFinite))
  const rough = most / 4
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max([1, 2, 5, 10].find((each) => each * unit >= rough) ?? 10, 0) * unit
  // Whole numbers where the values are whole: half a request means nothing.
  const isWhole = values.every((value) => Number.isInteger(value))
  const even = isWhole ? Math.max(1, Math.ceil(step)) : step
  const count = Math.ceil(most / even - 1e-9)
  return Array.from({ length: count + 1 }, (_, place) => Number((place * even).toPrecision(12)))
}

/** Places of up to `count` labels, evenly over the axis. */
export function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, place) => place)
  const step = (length - 1) / (count - 1)
  return Array.from({ length: count }, (_, place) => Math.round(place * step))
}

/** Path of a line over equal steps; an absent value leaves a gap, and a value between two gaps is as wide as its step. */
export function writeLine(
  values: readonly (number | undefined)[],
  most: number,
  width: number,
  height: number,
): string {
  const step = width / values.length
  return values
    .map((value, place) => {
      if (value === undefined) return ''
      const y = ((1 - value / most) * height).toFixed(1)
      const isFirst = values[place - 1] === undefined
      if (isFirst && values[place + 1] === undefined) return `M${(place * step).toFixed(1)} ${y}h${step.toFixed(1)}`
      return `${isFirst ? 'M' : 'L'}${((place + 0.5) * step).toFixed(1)} ${y}`
    })
    .join('')
}
