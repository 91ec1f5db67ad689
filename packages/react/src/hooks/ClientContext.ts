import { createContext } from 'react'
import type { Client } from '../core/Client.ts'

/** Holds the client object alone, which does not change, and so never re-renders anyone. */
export const ClientContext = createContext<Client | undefined>(undefined)
