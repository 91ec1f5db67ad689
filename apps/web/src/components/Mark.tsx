/** An open C and the mark that closes it: two hands to one document. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path d="M22.6 9.4a9.4 9.4 0 1 0 0 13.2" className="stroke-on-accent" strokeWidth="3" strokeLinecap="round" />
      <path
        d="m12.4 16.2 3.4 3.4 8.2-8.2"
        className="stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        opacity="0.6"
      />
    </svg>
  )
}
