type Channels = [number, number, number]

function toChannels(colour: string): Channels {
  const digits = colour.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Channels
}

/** How light a colour is, as WCAG 2 reckons it: 0 for black, 1 for white. */
function luminance(colour: string): number {
  const [red, green, blue] = toChannels(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours by WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** A colour with a share of another in it. */
export function mix(colour: string, other: string, share: number): string {
  const to = toChannels(other)
  const mixed = toChannels(colour).map((channel, index) => {
    return Math.round(channel + ((to[index] as number) - channel) * share)
  })
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
