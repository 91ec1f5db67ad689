import { useQrDrawing } from '@countersign/react/sheet'

/** Black on white in either theme: some readers take nothing else. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const drawing = useQrDrawing(text, 2)
  const size = drawing?.size ?? 1
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square h-auto w-56 max-w-full rounded-control bg-white"
    >
      {drawing && <path d={drawing.path} fill="#000" />}
    </svg>
  )
}
