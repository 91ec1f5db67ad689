const rings = [0, 1, 2, 3, 4, 5, 6, 7].map((ring) => ({
  outer: patternPath(146, 40, 11, (ring * Math.PI) / 4),
  inner: patternPath(84, 24, 7, (ring * Math.PI) / 4, 240),
}))

/** The fine-line pattern of deeds and banknotes, drawn in the accent. Decorative. */
export function HeroPattern({ className }: { className?: string }) {
  return (
    <svg viewBox="-200 -200 400 400" fill="none" aria-hidden="true" className={className}>
      <g className="stroke-accent" strokeWidth="0.6">
        {rings.map((ring) => (
          <g key={ring.outer}>
            <path d={ring.outer} opacity="0.55" />
            <path d={ring.inner} opacity="0.4" />
          </g>
        ))}
      </g>
    </svg>
  )
}

/** A closed curve of the kind that guards banknotes and deeds: a wave wound around a circle. */
function patternPath(radius: number, depth: number, waves: number, turn: number, points = 360): string {
  const parts: string[] = []
  for (let step = 0; step <= points; step++) {
    const angle = (step / points) * Math.PI * 2
    const reach = radius + depth * Math.sin(angle * waves + turn)
    parts.push(`${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`)
  }
  return `M${parts.join('L')}Z`
}
