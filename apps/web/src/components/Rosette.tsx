import { guilloche } from '../lib/guilloche.ts'

const rings = [0, 1, 2, 3, 4, 5, 6, 7].map((ring) => ({
  outer: guilloche(150, 42, 12, (ring * Math.PI) / 8),
  inner: guilloche(78, 26, 8, (ring * Math.PI) / 8, 240),
}))

/** The fine-line pattern of deeds and banknotes, drawn in the accent. Decorative. */
export function Rosette({ className }: { className?: string }) {
  return (
    <svg viewBox="-200 -200 400 400" fill="none" aria-hidden="true" className={className}>
      <g className="stroke-accent" strokeWidth="0.7">
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
