import { useMemo } from 'react'
import { encode } from 'uqr'

/** Black on white in either theme: some readers take nothing else. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 2 })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size, path: dark.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square h-auto w-56 max-w-full rounded-control bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
