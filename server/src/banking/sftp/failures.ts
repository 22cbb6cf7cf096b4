// What a bank's SFTP server can do wrong, in words.

export const sftpFailures = {
  forbidden: "Its address is not allowed",
  unreachable: "It could not be reached",
  host_key: "It showed another host key",
  login: "It refused the user",
  cut: "It cut the connection",
  timeout: "It did not answer in time",
  refused: "It refused",
} as const;
export type SftpFailure = keyof typeof sftpFailures;
