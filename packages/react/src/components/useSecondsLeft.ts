import { useEffect, useState } from 'react'

/** Whole seconds until a moment, counted down; 0 where there is none, or it has passed. */
export function useSecondsLeft(end: number | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (end === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= end) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [end])
  return end === undefined ? 0 : Math.max(0, Math.ceil((end - now) / 1000))
}
