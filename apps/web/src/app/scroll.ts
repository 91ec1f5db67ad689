import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const stored = 'countersign.scroll'
const patience = 5000

/**
 * A new page begins at its top; back and forward, and a reload, lead to where one was. The browser would try that once,
 * when a list that is still being read is too short for it.
 */
export function useScrollPlace(): void {
  const { key: given, pathname } = useLocation()
  // The first entry of every page that is loaded has this key, whichever page it is.
  const key = given === 'default' ? pathname : given
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
    const places = JSON.parse(sessionStorage.getItem(stored) ?? '{}') as Record<string, number>
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    // Neither a reload nor back or forward: an address that was typed, or a link from elsewhere.
    if (load?.type === 'navigate') delete places[location.pathname]
    return places
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

/** Leads to the part of a screen that an address names after `#`, as soon as it is there. */
export function useHashTarget(): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    void key
    const id = hash.slice(1)
    if (!id) return
    const since = performance.now()
    let frame = requestAnimationFrame(function look() {
      const target = document.getElementById(id)
      if (target) return show(target)
      if (performance.now() - since < patience) frame = requestAnimationFrame(look)
    })
    return () => cancelAnimationFrame(frame)
  }, [hash, key])
}

function show(target: HTMLElement) {
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'start' })
}
