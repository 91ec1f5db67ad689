'use client'

import { useSiwe } from './Root'

export function Greeting() {
  const { address } = useSiwe()
  return address ? <p>Hello {address}</p> : <p>Nobody is signed in.</p>
}
