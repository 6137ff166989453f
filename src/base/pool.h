#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

inline constexpr int kMostThreads = 1024;

/// Threads that share out the indices of a range. The caller's thread works too, as thread 0.
class Pool {
 public:
  /// job(thread, index): what is done for one index, by one thread.
  using Job = std::function<void(int thread, int index)>;

  /// 0: as many threads as the machine runs at once. Where the system gives fewer threads than asked for, those that
  /// there are do the work.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Does the job for 0 … count-1 and returns when all is done. Threads take `chunk` indices at a time (0: so that each
  /// comes several times), and each thread takes them in ascending order. Where jobs throw, the others are done all the
  /// same and the exception of the lowest index goes to the caller. Calls from several threads wait for one another; a
  /// job must not call run of its own pool.
  void run(int count, const Job& job, int chunk = 0);

 private:
  void help(int thread);
  void work(int thread);

  std::vector<std::thread> helpers_;
  std::mutex callers_;  // one run at a time

  std::mutex mutex_;  // guards what follows
  std::condition_variable started_, finished_;
  unsigned run_ = 0;  // number of the present run
  int busy_ = 0;      // helpers that are still at it
  bool stopping_ = false;
  std::exception_ptr failure_;
  int failed_index_ = 0;

  // fixed during a run
  const Job* job_ = nullptr;
  int count_ = 0;
  int chunk_ = 1;
  std::atomic<std::int64_t> next_ = 0;
};

/// The job for 0 … count-1, one index at a time, on at most so many threads of a pool that lives for this call alone.
void for_each_index(int count, int threads, const Pool::Job& job);

}  // namespace sinew
