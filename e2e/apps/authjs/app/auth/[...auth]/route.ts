import { handleAuth } from '../../auth.ts'

export { handleAuth as GET, handleAuth as POST }
