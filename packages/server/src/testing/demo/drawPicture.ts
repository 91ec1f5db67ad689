import { createRandom } from '../createRandom.ts'

export type Style = 'lanterns' | 'tiles' | 'badge'

/** A picture of an NFT: SVG, drawn from its number. */
export function drawPicture(style: Style, number: number): string {
  const random = createRandom(number * 7919 + style.length)
  const hue = random.below(360)
  const shapes = { lanterns: drawLanterns, tiles: drawTiles, badge: drawBadge }[style](random, hue)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240"><rect width="240" height="240" fill="hsl(${hue} 45% 14%)"/>${shapes}</svg>`
}

type Random = ReturnType<typeof createRandom>

function drawLanterns({ below }: Random, hue: number): string {
  return Array.from({ length: 7 }, (_, i) => {
    const radius = 14 + below(26)
    const colour = `hsl(${(hue + i * 17) % 360} 85% ${58 + below(20)}%)`
    return `<circle cx="${20 + below(200)}" cy="${20 + below(200)}" r="${radius}" fill="${colour}" opacity=".${6 + below(4)}"/>`
  }).join('')
}

function drawTiles({ below }: Random, hue: number): string {
  return Array.from({ length: 16 }, (_, i) => {
    const [x, y] = [(i % 4) * 60, Math.floor(i / 4) * 60]
    const colour = `hsl(${(hue + below(60)) % 360} 70% ${35 + below(40)}%)`
    const turn = below(4) * 90
    return `<path d="M${x} ${y}h60a60 60 0 0 1-60 60z" fill="${colour}" transform="rotate(${turn} ${x + 30} ${y + 30})"/>`
  }).join('')
}

function drawBadge(_random: Random, hue: number): string {
  const light = `hsl(${(hue + 40) % 360} 80% 65%)`
  const points = Array.from({ length: 10 }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 ? 32 : 72]
    return `${Math.round(120 + radius * Math.cos(angle))},${Math.round(120 + radius * Math.sin(angle))}`
  })
  return `<circle cx="120" cy="120" r="98" fill="none" stroke="${light}" stroke-width="8"/><polygon points="${points.join(' ')}" fill="${light}"/>`
}
