import { useEffect, useState } from 'react'

/** Seconds left of a wait that began when `seconds` was given with a new `key`; 0 when it is over. */
export function useCountdown(seconds: number | undefined, key: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    void key
    if (!seconds) return setLeft(0)
    const end = Date.now() + seconds * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(() => {
      tick()
      if (Date.now() >= end) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds, key])
  return left
}
