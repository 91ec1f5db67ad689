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

/** Path of a line over equal steps; an absent value leaves a gap. */
export function writeLine(
  values: readonly (number | undefined)[],
  most: number,
  width: number,
  height: number,
): string {
  let isOpen = false
  return values
    .map((value, place) => {
      if (value === undefined) {
        isOpen = false
        return ''
      }
      const x = ((place + 0.5) / values.length) * width
      const command = isOpen ? 'L' : 'M'
      isOpen = true
      // A single point between two gaps is drawn as a dot by its round end.
      return `${command}${x.toFixed(1)} ${((1 - value / most) * height).toFixed(1)}${command === 'M' ? 'h0' : ''}`
    })
    .join('')
}
