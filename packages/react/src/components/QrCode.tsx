import { useEffect, useState } from 'react'

type Drawing = { readonly size: number; readonly path: string }

/** A QR code, drawn as one path; what computes it is loaded when one is shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawing, setDrawing] = useState<Drawing>()
  useEffect(() => {
    let isWanted = true
    void draw(text).then(
      (next) => isWanted && setDrawing(next),
      // The link beside it does the same.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [text])
  const size = drawing?.size ?? 1
  return (
    <svg className="cs-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      {drawing && <path d={drawing.path} />}
    </svg>
  )
}

async function draw(text: string): Promise<Drawing> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
