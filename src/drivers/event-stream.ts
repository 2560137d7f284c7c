/** The messages of an event stream that has ended. */
export const messagesOf = (stream: string): string[] =>
  stream
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length))
        .join('\n'),
    )
    .filter((data) => data.trim() !== '')
