/** A line with a hand's stroke on it. */
export function Signature({ path }: { path: string }) {
  return (
    <span className="border-b border-edge pb-1">
      <svg
        aria-hidden="true"
        viewBox="0 0 76 36"
        fill="none"
        className="w-full stroke-accent"
        strokeWidth="2"
        strokeLinecap="round"
      >
        <path d={path} />
      </svg>
    </span>
  )
}
