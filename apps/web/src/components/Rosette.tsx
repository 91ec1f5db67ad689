import { guilloche } from '../lib/guilloche.ts'

const rings = [0, 1, 2, 3, 4, 5, 6, 7].map((ring) => ({
  outer: guilloche(146, 40, 11, (ring * Math.PI) / 4),
  inner: guilloche(84, 24, 7, (ring * Math.PI) / 4, 240),
}))

/** The fine-line pattern of deeds and banknotes, drawn in the accent. Decorative. */
export function Rosette({ className }: { className?: string }) {
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
