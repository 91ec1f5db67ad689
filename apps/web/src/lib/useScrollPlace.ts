import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const stored = 'countersign.scroll'
const patience = 5000

/**
 * A new page begins at its top; back and forward, and a reload, lead to where one was. The browser would try that once,
 * when a list that is still being read is too short for it.
 */
export function useScrollPlace(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const places = useRef<Record<string, number>>(undefined)
  places.current ??= read()
  const shown = useRef(pathname)
  const current = useRef(key)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const note = () => {
      if (places.current) places.current[current.current] = window.scrollY
    }
    const keep = () => {
      try {
        sessionStorage.setItem(stored, JSON.stringify(places.current))
      } catch {
        // Storage is refused in some privacy modes: a reload begins at the top then.
      }
    }
    window.addEventListener('scroll', note, { passive: true })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scroll', note)
      window.removeEventListener('pagehide', keep)
    }
  }, [])

  useLayoutEffect(() => {
    current.current = key
    if (type === 'POP') return scrollWhenPossible(places.current?.[key] ?? 0)
    if (shown.current !== pathname) window.scrollTo(0, 0)
    shown.current = pathname
  }, [key, pathname, type])
}

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Tries until the page is long enough, or somebody scrolls it, or it takes too long. */
function scrollWhenPossible(place: number): () => void {
  const events = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  const since = performance.now()
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const event of events) window.removeEventListener(event, stop)
  }
  const go = () => {
    window.scrollTo(0, place)
    if (Math.abs(window.scrollY - place) < 2 || performance.now() - since > patience) return stop()
    frame = requestAnimationFrame(go)
  }
  for (const event of events) window.addEventListener(event, stop, { passive: true })
  go()
  return stop
}
