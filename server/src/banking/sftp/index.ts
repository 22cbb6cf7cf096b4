// What other nouns use of sftp. The rest of this folder is private to it.

export { sftpFailures } from "./failures.ts";
export { sftpKeyProblems } from "./key-problems.ts";
export {
  openSftp,
  type SftpFile,
  SftpProblem,
  type SftpSession,
  sftpPieceBytes,
} from "./session.ts";
