import { destroyMany } from './documents/destroyMany.ts'
import { settleSave } from './documents/settleSave.ts'
import { writeMany } from './documents/writeMany.ts'
import { writeOne } from './documents/writeOne.ts'
import { sendFile } from './files/sendFile.ts'
import { sendUser } from './session/sendUser.ts'

/** What changes objects and sends files, in one piece, so that one request of the browser brings all of it. */
export const writing = { destroyMany, sendFile, sendUser, settleSave, writeMany, writeOne }
