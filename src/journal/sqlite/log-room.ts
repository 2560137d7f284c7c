/**
 * Room in the write-ahead log, taken before anything is written to it. A log that grows changes its file's size with
 * every commit, and then its fsync waits until the file system has written down everything else that is new as well: the
 * checkout of a large repository, for one. A commit into room that is there already waits for its own bytes alone.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { Database } from './database.ts'

const ROOM_BYTES = 8 * 1024 * 1024
const PIECE = Buffer.alloc(1024 * 1024)

/** As a writer, so that nobody writes where the zeros go. Without room everything works as well, only slower. */
export function makeRoomInLog(db: Database, file: string): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    extend(`${file}-wal`)
  } finally {
    db.exec('COMMIT')
  }
}

function extend(log: string): void {
  let descriptor: number
  try {
    descriptor = openSync(log, 'r+')
  } catch {
    return
  }
  const { size } = fstatSync(descriptor)
  try {
    for (let at = size; at < ROOM_BYTES; at += PIECE.length)
      writeSync(descriptor, PIECE, 0, Math.min(PIECE.length, ROOM_BYTES - at), at)
    if (size < ROOM_BYTES) fsyncSync(descriptor)
  } catch {
    // A full disk, say. What is left of the attempt would be in nobody's way but the disk's.
    ftruncateSync(descriptor, size)
  } finally {
    closeSync(descriptor)
  }
}
