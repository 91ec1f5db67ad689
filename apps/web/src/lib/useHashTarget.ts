import { useEffect } from 'react'
import { useLocation } from 'react-router'

const patience = 5000

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
