import { Hono } from 'hono'

/** Ponder wants one; nothing is asked of it but whether it is ready. */
export default new Hono()
