// Answers a refused request in the form of the interface, with the failure message of its route.

import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Refusal, refusal } from "./problem.ts";

@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger("requests");

  constructor(private readonly message: string) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (!(error instanceof Refusal)) this.logger.error(error);
    const { status, problems } = error instanceof Refusal ? error : refusal("SYST500");
    reply.status(status).send({ message: this.message, error: problems });
  }
}
