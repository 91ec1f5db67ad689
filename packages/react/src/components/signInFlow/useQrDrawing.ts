'use client'

import { useEffect, useState } from 'react'

export type QrDrawing = { readonly size: number; readonly path: string }

/**
 * The dots of a QR code as one path, with `border` empty dots around them; `undefined` until the library that computes
 * it has been loaded, and where it cannot be.
 *
 * @example
 * const drawing = useQrDrawing(address, 2)
 * return drawing && <svg viewBox={`0 0 ${drawing.size} ${drawing.size}`}><path d={drawing.path} /></svg>
 */
export function useQrDrawing(text: string, border = 0): QrDrawing | undefined {
  const [drawing, setDrawing] = useState<QrDrawing>()
  useEffect(() => {
    let isWanted = true
    void draw(text, border).then(
      (next) => isWanted && setDrawing(next),
      // The text beside it does the same.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [text, border])
  return drawing
}

async function draw(text: string, border: number): Promise<QrDrawing> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
